/** What names mean at the places where a repair writes them. */
import type { Node, Scope, SourceCode } from '../../types.js';
import { variableNamed } from '../../model/ast.js';
import { once } from '../../once.js';

/** Is the name at all places the one of the module, not one of a function or block around them? */
export function isVisible(sourceCode: SourceCode, places: readonly Node[], name: string): boolean {
  return places.every((place) => variableNamed(sourceCode, place, name)?.scope.block.type === 'Program');
}

/** The name, with as many underscores as make it free in the module and around the places. */
export function freeName(sourceCode: SourceCode, places: readonly Node[], wanted: string): string {
  const scopes = [...moduleScopes(sourceCode), ...places.flatMap((place) => scopesAround(sourceCode, place))];
  const globalsInUse = globalNames(sourceCode);
  const isTaken = (name: string): boolean =>
    scopes.some((scope) => scope.set.has(name)) || globalsInUse.has(name);
  let name = wanted;
  while (isTaken(name)) name += '_';
  return name;
}

const moduleScopes = once(
  (sourceCode: SourceCode): Scope[] =>
    sourceCode.scopeManager?.scopes.filter(({ block }) => block.type === 'Program') ?? [],
);

const globalNames = once(
  (sourceCode: SourceCode) =>
    new Set(sourceCode.scopeManager?.globalScope?.through.map(({ identifier }) => identifier.name)),
);

function scopesAround(sourceCode: SourceCode, place: Node): Scope[] {
  const scopes: Scope[] = [];
  for (let scope: Scope | null = sourceCode.getScope(place); scope; scope = scope.upper) scopes.push(scope);
  return scopes;
}
