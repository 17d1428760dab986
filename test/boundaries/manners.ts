import { isNode, lineAt, type Source, type SyntaxNode } from './source.ts';

/** Rules for one file: each gives what it found, one line per violation. */
export type Rule = (file: Source) => string[];

const at = ({ path, text }: Source, node: SyntaxNode, what: string) =>
  `${path}:${lineAt(text, node.start)} ${what}`;

const within = (...places: readonly string[]) => {
  const begins = places.map((place) => `${place}/`);
  return ({ path }: Source) => begins.some((begin) => path.startsWith(begin));
};

const inCore = within('functions/core');
const isProduct = within('functions', 'infra', 'local', 'bench');
const saysWords = within('functions/core', 'functions/tasks', 'functions/sessions');

export const fileLinesMax = 300;
export const functionLinesMax = 70;

export const longFiles: Rule = (file) => {
  const lines = file.text.trimEnd().split('\n').length;
  return lines > fileLinesMax ? [`${file.path} has ${lines} lines`] : [];
};

const functionTypes = new Set<string>([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

export const longFunctions: Rule = (file) => {
  if (!isProduct(file)) return [];
  return file.nodes
    .filter(({ type }) => functionTypes.has(type))
    .map((node) => ({ node, lines: linesOf(file, node) }))
    .filter(({ lines }) => lines > functionLinesMax)
    .map(({ node, lines }) => at(file, node, `a function of ${lines} lines`));
};

const linesOf = ({ text }: Source, { start, end }: SyntaxNode) =>
  text.slice(start, Number(end)).split('\n').length;

/** A name that says nothing about what is inside. */
export const emptyNames: Rule = ({ path }) =>
  /(^|\/)(index|utils?|types|helpers?|common|misc)\.ts$/.test(path) ? [`${path} says nothing`] : [];

const smuggling: { readonly [type: string]: string } = {
  TSAnyKeyword: 'any',
  TSNonNullExpression: 'a ! assertion',
};

export const smuggledTypes: Rule = (file) => {
  if (!isProduct(file)) return [];
  const nodes = file.nodes.flatMap((node) => {
    const definite = node.type === 'VariableDeclarator' && node.definite === true;
    const what = definite ? 'a ! assertion' : smuggling[node.type];
    return what === undefined ? [] : [at(file, node, what)];
  });
  return [...nodes, ...linesWith(file, /@ts-(ignore|expect-error|nocheck)/)];
};

export const unfinished: Rule = (file) =>
  isProduct(file) ? linesWith(file, /\b(TODO|FIXME|XXX|HACK)\b/) : [];

const linesWith = ({ path, text }: Source, pattern: RegExp) =>
  text
    .split('\n')
    .flatMap((line, n) => (pattern.test(line) ? [`${path}:${n + 1} ${line.trim()}`] : []));

/** Tests use the memory ports; a module that was swapped behind the back proves nothing. */
export const swappedModules: Rule = (file) =>
  file.nodes
    .filter(({ type, callee }) => type === 'CallExpression' && isNode(callee))
    .filter(({ callee }) => /^vi\.(do)?mock$/i.test(dotted(callee)))
    .map((node) => at(file, node, 'vi.mock'));

const worldly = new Set([
  'Date.now',
  'Math.random',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'console',
  'process',
  'globalThis',
  'performance',
]);

/** core/ decides from what it is given: no waiting, clock, chance, environment or network. */
export const impurities: Rule = (file) => {
  if (!inCore(file)) return [];
  return file.nodes.flatMap((node) => {
    const what = impurityOf(node);
    return what === undefined ? [] : [at(file, node, what)];
  });
};

function impurityOf(node: SyntaxNode): string | undefined {
  if (node.type === 'AwaitExpression') return 'await';
  if (functionTypes.has(node.type) && node.async === true) return 'async';
  if (node.type === 'NewExpression' && dotted(node.callee) === 'Date') return 'new Date';
  const name = dotted(node);
  return worldly.has(name) ? name : undefined;
}

/** `a.b` of an identifier or a member of one; empty for anything else. */
function dotted(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node.name);
  if (node.type !== 'MemberExpression' || node.computed === true) return '';
  return `${dotted(node.object)}.${dotted(node.property)}`;
}

/** State belongs to the ports. CDK's constructs and the two errors of tool authors are classes. */
export const classes: Rule = (file) => {
  if (!isProduct(file) || file.path.startsWith('infra/')) return [];
  if (file.path === 'functions/core/author-errors.ts') return [];
  return file.nodes
    .filter(({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression')
    .map((node) => at(file, node, 'a class'));
};

/** One word per thing: these have another here. `run` stays: a task is run, it is not called a run. */
const neverSaid = new Set(
  (
    'job operation execution invocation ticket receipt tenant notification buffer mailbox ' +
    'iteration lock mutex lease exception thread chat conversation payload hook'
  ).split(' '),
);

export const strangeWords: Rule = (file) => {
  if (!saysWords(file)) return [];
  const fileName = file.path.split('/').at(-1)?.replace('.ts', '') ?? '';
  return [fileName, ...exportedNames(file)]
    .flatMap((name) => wordsOf(name).map((word) => ({ name, word })))
    .filter(({ word }) => neverSaid.has(word) || neverSaid.has(word.replace(/s$/, '')))
    .map(({ name, word }) => `${file.path} exports ${name}: never say ${word}`);
};

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

export function exportedNames({ nodes }: Source): string[] {
  return nodes
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration, specifiers }) => {
      const aliases = Array.isArray(specifiers) ? specifiers.map(({ exported }) => exported) : [];
      return [...declaredNames(declaration), ...aliases.map((alias) => dotted(alias))];
    });
}

function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  const { declarations, id } = declaration;
  const ids = Array.isArray(declarations) ? declarations.map((one) => one.id) : [id];
  return ids.map((one) => dotted(one)).filter((name) => name !== '');
}
