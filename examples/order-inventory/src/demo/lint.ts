/** What a user of the ESLint plugin sees for a folder of this example. */
import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';
import typescript from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import lockproof from 'eslint-plugin-lockproof';

export interface Finding {
  /** From the folder that the demo was started in, so that a terminal can open it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Null for a file that does not parse. */
  readonly rule: string | null;
}

const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const STARTED_IN = process.env.INIT_CWD ?? process.cwd();

export async function lint(folder: 'before' | 'after'): Promise<Finding[]> {
  const eslint = new ESLint({
    cwd: EXAMPLE,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions: { parser: typescript } },
      { files: ['**/*.ts'], ...lockproof.configs.recommended },
    ],
  });
  const results = await eslint.lintFiles([`src/${folder}/**/*.ts`]);
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, column, severity, message, ruleId }) => ({
      file: relative(STARTED_IN, filePath),
      line,
      column,
      severity: severity === 2 ? ('error' as const) : ('warning' as const),
      message,
      rule: ruleId,
    })),
  );
}
