import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type ESTree } from 'vite';

/** One file of the house, or of a test that plants a violation. */
export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly SyntaxNode[];
}

/** Any node of the syntax tree, as far as the rules look at it. */
export type SyntaxNode = { readonly type: ESTree.Node['type']; readonly start: number } & {
  readonly [field: string]: unknown;
};

const root = join(import.meta.dirname, '../..');
const folders = ['functions', 'infra', 'local', 'bench', 'test'];

export function source(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return { path, text, nodes: nodesUnder(program) };
}

/** All TypeScript of the repository. */
export function readHouse(): readonly Source[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  return paths
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .toSorted()
    .map((path) => source(path, readFileSync(join(root, path), 'utf8')));
}

export const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function nodesUnder(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap((item) => nodesUnder(item));
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap((field) => nodesUnder(field))];
}
