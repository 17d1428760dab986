import { posix } from 'node:path';
import { isNode, type Source, type SyntaxNode } from './source.ts';

/** What a part of the house may import: places in the house, and packages. */
interface Plan {
  readonly places: readonly string[];
  /** Names or, with a trailing slash or colon, beginnings of names. */
  readonly packages: readonly string[];
  /** Places of which only the types may be known. */
  readonly typesOf?: readonly string[];
}

const core = 'functions/core';
const ports = 'functions/ports.ts';
const sessionPorts = 'functions/session-ports.ts';
const webhookPorts = 'functions/webhook-ports.ts';
const tasks = 'functions/tasks';
const sessions = 'functions/sessions';
const tools = 'functions/tools';
const adapters = 'functions/adapters';

const room = (name: string, packages: readonly string[] = []): Plan => ({
  places: [core, ports, tasks, sessions, `functions/${name}`],
  packages,
});

/** The longest name that a path begins with decides. */
export const plans: { readonly [place: string]: Plan } = {
  [core]: { places: [core], packages: ['node:crypto'] },
  [ports]: { places: [core, sessionPorts, webhookPorts], packages: [] },
  /** Pages of the same list. */
  [sessionPorts]: { places: [core, ports], packages: [] },
  [webhookPorts]: { places: [core, ports], packages: [] },
  [tasks]: { places: [core, ports, tasks], packages: [] },
  [sessions]: { places: [core, ports, tasks, sessions], packages: [] },
  [tools]: { places: [core, ports, tasks, tools], packages: ['zod', 'node:'] },
  'functions/api': {
    ...room('api', ['hono', '@hono/', '@modelcontextprotocol/server', 'zod', 'node:']),
    typesOf: [tools],
  },
  'functions/worker': room('worker'),
  'functions/sweep': room('sweep'),
  'functions/notify': room('notify'),
  'functions/resume': room('resume'),
  [adapters]: {
    places: [core, ports, adapters],
    packages: [
      '@ai-sdk/',
      '@aws-sdk/',
      '@aws-lambda-powertools/',
      'aws-lambda',
      'ipaddr.js',
      'jose',
      'standardwebhooks',
      'node:',
    ],
  },
  infra: { places: ['infra'], packages: ['aws-cdk-lib', 'constructs', 'node:'] },
  /** Plain facts: local/ reads them too, and must not load the CDK for them. */
  'infra/definitions.ts': { places: [], packages: [] },
  local: { places: ['functions', 'infra/definitions.ts', 'local'], packages: ['*'] },
  /** Measures on the engines that the contract suites run on. */
  bench: {
    places: ['functions', 'infra/definitions.ts', 'local', 'bench', 'test/contracts'],
    packages: ['*'],
  },
};

/** Where a room meets its function: the only file of it that knows AWS. */
const isHandler = (path: string) => /^functions\/[^/]+\/handler\.ts$/.test(path);
const handlerPlan: Plan = {
  places: [adapters, tools],
  packages: ['hono/aws-lambda', '@aws-lambda-powertools/', 'aws-lambda', 'node:'],
};
const handlerOnly = 'hono/aws-lambda';

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** Every import that the plan does not allow. */
export function strangers(file: Source): string[] {
  const plan = planOf(file.path);
  if (!plan) return file.path.startsWith('test/') ? [] : [`${file.path} has no place in the plan`];
  const allowed = isHandler(file.path) ? both(plan, handlerPlan) : plan;
  return importsOf(file)
    .filter((imported) => !allows(allowed, file.path, imported))
    .map(({ from }) => `${file.path} imports ${from}`);
}

function planOf(path: string): Plan | undefined {
  const names = Object.keys(plans).filter((name) => isWithin(path, name));
  const longest = names.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : plans[longest];
}

function allows(plan: Plan, path: string, { from, typeOnly }: Import): boolean {
  if (from.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(path), from));
    const places = typeOnly ? [...plan.places, ...(plan.typesOf ?? [])] : plan.places;
    return places.some((place) => isWithin(target, place));
  }
  if (from === handlerOnly && path.startsWith('functions/') && !isHandler(path)) return false;
  return plan.packages.some((name) => isPackage(from, name));
}

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

const isPackage = (from: string, name: string) =>
  name === '*' || (/[/:]$/.test(name) ? from.startsWith(name) : isWithin(from, name));

const both = (a: Plan, b: Plan): Plan => ({
  places: [...a.places, ...b.places],
  packages: [...a.packages, ...b.packages],
});

const importers = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function importsOf({ nodes }: Source): Import[] {
  return nodes
    .filter(({ type, source }) => importers.has(type) && isNode(source))
    .map((node) => ({ from: textOf(node.source), typeOnly: isTypeOnly(node) }));
}

/** A computed import names nothing that could be checked, so it is nobody's neighbour. */
const textOf = (node: unknown) =>
  isNode(node) && typeof node.value === 'string' ? node.value : 'what it computes';

function isTypeOnly(node: SyntaxNode): boolean {
  const { type, importKind, exportKind, specifiers } = node;
  if (type === 'TSImportType' || importKind === 'type' || exportKind === 'type') return true;
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type');
}
