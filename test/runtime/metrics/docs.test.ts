/** The pages of the events say what the types say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(`../../../runtime/${path}`, import.meta.url));
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** The fields of each type of event, by the name of its channel. */
function declared(): Map<string, string[]> {
  const path = 'src/events.ts';
  const events = new Map<string, string[]>();
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements.filter(ts.isInterfaceDeclaration)) {
    const members = statement.members.filter(ts.isPropertySignature);
    const type = members.find(({ name }) => name.getText() === 'type')?.type?.getText();
    if (type === undefined) continue;
    const fields = members.map(({ name }) => name.getText()).filter((name) => name !== 'type');
    events.set(`lockproof:${type.replaceAll("'", '')}`, fields.sort());
  }
  return events;
}

/** The same by a page: a heading for each channel, a row for each field. */
function documented(page: string): Map<string, string[]> {
  const events = new Map<string, string[]>();
  for (const section of page.split(/^## /m).slice(1)) {
    const channel = /^`(lockproof:[a-z-]+)`/.exec(section)?.[1];
    if (channel === undefined) continue;
    events.set(channel, Array.from(section.matchAll(/^\| `(\w+)`/gm), ([, field = '']) => field).sort());
  }
  return events;
}

/** Names in backquotes that OpenTelemetry gets. */
const telemetryNames = (text: string, quote: string): Set<string> =>
  new Set(
    Array.from(
      text.matchAll(new RegExp(`${quote}(lockproof\\.[\\w.]+|error\\.type)${quote}`, 'g')),
      ([, name = '']) => name,
    ),
  );

describe.each(['docs/events.md', 'docs/events.zh-CN.md'])('%s', (path) => {
  test('has each channel with exactly its fields', () => {
    expect(declared().size).toBeGreaterThan(0);
    expect(documented(read(path))).toEqual(declared());
  });

  test('has each name that OpenTelemetry gets, and no other', () => {
    const code = ['index', 'metrics', 'spans'].map((file) => read(`src/opentelemetry/${file}.ts`)).join('');
    expect(telemetryNames(read(path), '`')).toEqual(telemetryNames(code, "'"));
  });
});
