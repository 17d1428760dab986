import { isNode, type Source } from './source.ts';

/** Every reason of the Failure union, read from its source. */
export function reasonsIn({ nodes }: Source): string[] {
  return nodes
    .filter(
      ({ type, key }) => type === 'TSPropertySignature' && isNode(key) && key.name === 'reason',
    )
    .flatMap(({ typeAnnotation }) => /'(\w+)'/.exec(literalUnder(typeAnnotation))?.[1] ?? []);
}

/** Reasons that no test names: a refusal nobody has provoked may not work. */
export function unprovoked(reasons: readonly string[], tests: readonly Source[]): string[] {
  const named = new Set(tests.flatMap(({ nodes }) => nodes.map(({ value }) => value)));
  return reasons.filter((reason) => !named.has(reason));
}

function literalUnder(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'Literal') return `'${String(node.value)}'`;
  return literalUnder(node.typeAnnotation ?? node.literal);
}
