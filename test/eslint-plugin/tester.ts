/** ESLint's own rule tester on vitest, with the TypeScript parser. */
import tsParser from '@typescript-eslint/parser';
import { RuleTester } from 'eslint';
import { afterAll, describe, it } from 'vitest';

Object.assign(RuleTester, { afterAll, describe, it });

export const tester = new RuleTester({
  languageOptions: { parser: tsParser, sourceType: 'module', parserOptions: { ecmaFeatures: { jsx: true } } },
});

/** A module around a body, with an ioredis client whose origin can be seen. */
export const ioredis = (body: string): string =>
  `import { Redis } from 'ioredis';\nconst redis = new Redis();\n${body}\n`;

/** The same with node-redis. */
export const nodeRedis = (body: string): string =>
  `import { createClient } from 'redis';\nconst client = createClient();\n${body}\n`;
