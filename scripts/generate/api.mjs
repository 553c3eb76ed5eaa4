// The page of all exports of the runtime, from its docstrings.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { load } from 'typedoc-plugin-markdown';

const RUNTIME = fileURLToPath(new URL('../../runtime', import.meta.url));

/** The entry points, as they are imported and as they are built. */
const MODULES = [
  { name: 'lockproof', source: 'index' },
  { name: 'lockproof/testing', source: 'testing' },
  { name: 'lockproof/sql', source: 'sql' },
];
const HEAD = `# All exports

[lockproof](../README.md)

Generated from the docstrings by \`npm run generate\`.`;

const OPTIONS = {
  entryPoints: ['index', 'testing/index', 'sql/index'].map((file) => join(RUNTIME, `src/${file}.ts`)),
  tsconfig: join(RUNTIME, 'tsconfig.json'),
  plugin: [load],
  logLevel: 'Error',
  // The build has checked them.
  skipErrorChecking: true,
  readme: 'none',
  router: 'module',
  disableSources: true,
  // What is inherited from Error is no word of ours.
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  hideGroupHeadings: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  tableColumnSettings: { hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
};

export async function apiPage() {
  const app = await Application.bootstrapWithPlugins(OPTIONS);
  // Errors and leases are made by the package alone.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const each of project.getReflectionsByKind(ReflectionKind.Constructor))
      project.removeReflection(each);
  });
  const project = await app.convert();
  if (!project) throw new Error('typedoc could not read runtime/src');
  const folder = mkdtempSync(join(tmpdir(), 'lockproof-api-'));
  try {
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
    const parts = MODULES.map(({ name, source }) => {
      const text = readFileSync(join(folder, `${source}.md`), 'utf8');
      return `# \`${name}\`\n\n${onOnePage(text)}`;
    });
    return [HEAD, ...parts].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Links between the modules become links within the page; nothing leads to a row of a table. */
const onOnePage = (text) =>
  text
    .replaceAll(/\]\((?:index|testing|sql)\.md#/g, '](#')
    .replaceAll(/<a id="[^"]+"><\/a> /g, '')
    .trim();
