/**
 * The floor plan, enforced. If a rule is in your way, the plan is wrong or the code is; change one of
 * them on purpose. What the rules catch is planted at the end of this file.
 */
import { describe, expect, it } from 'vitest';
import { strangers } from './boundaries/imports.ts';
import {
  classes,
  emptyNames,
  fileLinesMax,
  functionLinesMax,
  impurities,
  longFiles,
  longFunctions,
  smuggledTypes,
  strangeWords,
  swappedModules,
  unfinished,
  type Rule,
} from './boundaries/manners.ts';
import { reasonsIn, unprovoked } from './boundaries/refusals.ts';
import { readHouse, source } from './boundaries/source.ts';
import { unusedExports } from './boundaries/unused.ts';

const house = readHouse();

/** Refusals of the edge: the tests of the API provoke them. */
const provokedByTheApi = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unauthorized',
  'route_not_found',
  'response_conflict',
];

describe('the house', () => {
  it.each<[string, Rule]>([
    ['imports only from its neighbours', strangers],
    [`has no file of more than ${fileLinesMax} lines`, longFiles],
    [`has no function of more than ${functionLinesMax} lines`, longFunctions],
    ['names every file after what is in it', emptyNames],
    ['smuggles no type past the compiler', smuggledTypes],
    ['leaves nothing for later', unfinished],
    ['swaps no module in a test', swappedModules],
    ['decides in core/ from what it is given', impurities],
    ['has no class but constructs and the errors of authors', classes],
    ['says one word per thing', strangeWords],
  ])('%s', (_title, rule) => {
    expect(house.flatMap((file) => rule(file))).toEqual([]);
  });

  it('exports nothing that no other file uses', () => {
    expect(unusedExports(house)).toEqual([]);
  });

  it('has every refusal provoked by a test', () => {
    const failures = house.filter(({ path }) => path === 'functions/core/failure.ts');
    const tests = house.filter(
      ({ path }) => path.endsWith('.test.ts') && path !== 'test/boundaries.test.ts',
    );
    const reasons = failures.flatMap((file) => reasonsIn(file));
    expect(reasons.length).toBeGreaterThan(5);
    const missing = unprovoked(reasons, tests);
    expect(missing.filter((reason) => !provokedByTheApi.includes(reason))).toEqual([]);
  });
});

/** A rule, a file, what stands in it, and whether that is caught. */
type Planted = readonly [Rule, string, string, 'caught' | 'free'];

const imports = (from: string) => `import { x } from '${from}';\nexport const y = x;\n`;
const lines = (count: number) => 'f();\n'.repeat(count);
const core = 'functions/core/a.ts';
const api = 'functions/api/a.ts';

describe('the rules', () => {
  it.each<Planted>([
    [strangers, core, imports('./b.ts'), 'free'],
    [strangers, core, imports('node:crypto'), 'free'],
    [strangers, core, imports('node:fs'), 'caught'],
    [strangers, core, imports('zod'), 'caught'],
    [strangers, core, imports('../ports.ts'), 'caught'],
    [strangers, core, `export { x } from '../tasks/b.ts';`, 'caught'],
    [strangers, core, `export * from '../tasks/b.ts';`, 'caught'],
    [strangers, core, `import '../tasks/b.ts';`, 'caught'],
    [strangers, core, `const x = import('../tasks/b.ts');`, 'caught'],
    [strangers, core, `const x = import(name);`, 'caught'],
    [strangers, core, `type X = import('../tasks/b.ts').X;`, 'caught'],
    [strangers, core, `// import '../tasks/b.ts';`, 'free'],
    [strangers, 'functions/ports.ts', imports('./core/a.ts'), 'free'],
    [strangers, 'functions/ports.ts', imports('./tasks/a.ts'), 'caught'],
    [strangers, 'functions/tasks/a.ts', imports('../ports.ts'), 'free'],
    [strangers, 'functions/tasks/a.ts', imports('../adapters/a.ts'), 'caught'],
    [strangers, 'functions/tasks/a.ts', imports('../tools/a.ts'), 'caught'],
    [strangers, 'functions/tools/a.ts', imports('zod'), 'free'],
    [strangers, 'functions/tools/a.ts', imports('zod/v4'), 'free'],
    [strangers, 'functions/tools/a.ts', imports('zodiac'), 'caught'],
    [strangers, 'functions/tools/a.ts', imports('../adapters/a.ts'), 'caught'],
    [strangers, api, imports('hono'), 'free'],
    [strangers, api, imports('hono/streaming'), 'free'],
    [strangers, api, imports('@hono/zod-openapi'), 'free'],
    [strangers, api, imports('@modelcontextprotocol/server'), 'free'],
    [strangers, api, imports('@modelcontextprotocol/sdk'), 'caught'],
    [strangers, api, imports('hono/aws-lambda'), 'caught'],
    [strangers, api, imports('@aws-sdk/client-sqs'), 'caught'],
    [strangers, api, imports('../worker/work.ts'), 'caught'],
    [strangers, api, imports('../adapters/process.ts'), 'caught'],
    [strangers, api, imports('../tools/registry.ts'), 'caught'],
    [strangers, api, `import type { X } from '../tools/registry.ts';`, 'free'],
    [strangers, api, `import { type X } from '../tools/registry.ts';`, 'free'],
    [strangers, api, `import { type X, y } from '../tools/registry.ts';`, 'caught'],
    [strangers, 'functions/api/handler.ts', imports('hono/aws-lambda'), 'free'],
    [strangers, 'functions/api/handler.ts', imports('../tools/registry.ts'), 'free'],
    [strangers, 'functions/api/mcp/handler.ts', imports('../../adapters/a.ts'), 'caught'],
    [strangers, 'functions/worker/handler.ts', imports('../adapters/a.ts'), 'free'],
    [strangers, 'functions/worker/handler.ts', imports('@aws-lambda-powertools/batch'), 'free'],
    [strangers, 'functions/worker/handler.ts', imports('@aws-sdk/client-sqs'), 'caught'],
    [strangers, 'functions/worker/handler.ts', imports('../sweep/sweep.ts'), 'caught'],
    [strangers, 'functions/worker/a.ts', imports('../sweep/sweep.ts'), 'caught'],
    [strangers, 'functions/worker/a.ts', imports('@aws-lambda-powertools/logger'), 'caught'],
    [strangers, 'functions/sweep/a.ts', imports('../tasks/find-task.ts'), 'free'],
    [strangers, 'functions/sweep/a.ts', imports('../worker/work.ts'), 'caught'],
    [strangers, 'functions/adapters/a.ts', imports('@aws-sdk/client-sqs'), 'free'],
    [strangers, 'functions/adapters/a.ts', `const x = import('@ai-sdk/anthropic');`, 'free'],
    [strangers, 'functions/resume/a.ts', imports('@ai-sdk/provider'), 'caught'],
    [strangers, core, `import type { X } from '@ai-sdk/provider';`, 'caught'],
    [strangers, 'functions/adapters/a.ts', imports('../tasks/find-task.ts'), 'caught'],
    [strangers, 'functions/adapters/a.ts', imports('hono'), 'caught'],
    [strangers, 'functions/attic/a.ts', 'f();', 'caught'],
    [strangers, 'local/main.ts', imports('../functions/api/app.ts'), 'free'],
    [strangers, 'local/main.ts', imports('../infra/definitions.ts'), 'free'],
    [strangers, 'local/main.ts', imports('../infra/stack.ts'), 'caught'],
    [strangers, 'local/main.ts', imports('../test/house.ts'), 'caught'],
    [strangers, 'infra/stack.ts', imports('aws-cdk-lib/aws-sqs'), 'free'],
    [strangers, 'infra/stack.ts', imports('../functions/core/limits.ts'), 'caught'],
    [strangers, 'infra/definitions.ts', imports('aws-cdk-lib'), 'caught'],

    [longFiles, api, lines(fileLinesMax), 'free'],
    [longFiles, api, lines(fileLinesMax + 1), 'caught'],
    [longFunctions, api, `function f() {\n${lines(functionLinesMax - 2)}}`, 'free'],
    [longFunctions, api, `function f() {\n${lines(functionLinesMax - 1)}}`, 'caught'],
    [longFunctions, api, `const f = () => {\n${lines(functionLinesMax - 1)}};`, 'caught'],
    [longFunctions, api, `const o = {\nf() {\n${lines(functionLinesMax - 1)}} };`, 'caught'],
    [emptyNames, 'functions/api/index.ts', '', 'caught'],
    [emptyNames, 'functions/api/utils.ts', '', 'caught'],
    [emptyNames, 'infra/types.ts', '', 'caught'],
    [emptyNames, 'local/helpers.ts', '', 'caught'],
    [emptyNames, 'functions/api/task-types.ts', '', 'free'],

    [smuggledTypes, api, 'const f = (x: any) => x;', 'caught'],
    [smuggledTypes, api, 'const x = y as any;', 'caught'],
    [smuggledTypes, api, 'const x: Map<string, any> = y;', 'caught'],
    [smuggledTypes, api, 'const x = AbortSignal.any([]); // any', 'free'],
    [smuggledTypes, api, 'const x = y!.z;', 'caught'],
    [smuggledTypes, api, 'let x!: string;', 'caught'],
    [smuggledTypes, api, 'const x = !y && z !== 1;', 'free'],
    [smuggledTypes, api, '// @ts-ignore\nf();', 'caught'],
    [unfinished, api, '// TODO: later\nf();', 'caught'],
    [swappedModules, 'test/a.test.ts', `vi.mock('./a.ts');`, 'caught'],
    [swappedModules, 'test/a.test.ts', `const text = "vi.mock('./a.ts')";`, 'free'],

    [impurities, core, 'async function f() {}', 'caught'],
    [impurities, core, 'const f = async () => 1;', 'caught'],
    [impurities, core, 'const x = await y;', 'caught'],
    [impurities, core, 'const x = Date.now();', 'caught'],
    [impurities, core, 'const x = new Date(5);', 'caught'],
    [impurities, core, 'const x = Math.random();', 'caught'],
    [impurities, core, 'const x = process.env.X;', 'caught'],
    [impurities, core, 'setTimeout(f, 1);', 'caught'],
    [impurities, core, `const x = fetch('x');`, 'caught'],
    [impurities, core, `import { randomUUID } from 'node:crypto';`, 'caught'],
    [impurities, core, `const x = Buffer.from('await Date.now()').length;`, 'free'],
    [impurities, core, 'const x = Math.max(1, 2);', 'free'],
    [impurities, 'functions/tasks/a.ts', 'const x = await y;', 'free'],
    [classes, core, 'export class A {}', 'caught'],
    [classes, api, 'const A = class {};', 'caught'],
    [classes, 'functions/core/author-errors.ts', 'export class A {}', 'free'],
    [classes, 'infra/stack.ts', 'export class A {}', 'free'],

    [strangeWords, core, 'export const startJob = 1;', 'caught'],
    [strangeWords, core, 'export type JobsById = 1;', 'caught'],
    [strangeWords, core, 'export interface TaskLock {}', 'caught'],
    [strangeWords, core, 'export function payloadOf() {}', 'caught'],
    [strangeWords, core, 'const a = 1;\nexport { a as hook };', 'caught'],
    [strangeWords, 'functions/tasks/chat.ts', 'f();', 'caught'],
    [strangeWords, core, 'export const clockMs = 1, webhookUrl = 2, beforeRun = 3;', 'free'],
    [strangeWords, core, 'const job = 1;', 'free'],
    [strangeWords, api, 'export const job = 1;', 'free'],
  ])('%o judges a plant in %s (case %#)', (rule, path, text, expected) => {
    const found = rule(source(path, text));
    expect(found.length > 0 ? 'caught' : 'free').toBe(expected);
  });

  it('say where a violation stands', () => {
    expect(smuggledTypes(source(api, 'f();\nconst x = y!;'))).toEqual([`${api}:2 a ! assertion`]);
    expect(strangers(source(core, imports('zod')))).toEqual([`${core} imports zod`]);
  });

  it('find an export that nobody uses', () => {
    const one = source(core, 'export const used = 1;\nexport interface Unused {}\n');
    const other = source('test/a.test.ts', 'expect(used).toBe(1);');
    expect(unusedExports([one, other])).toEqual([`${core} exports Unused for nobody`]);
  });

  it('find a refusal that no test provokes', () => {
    const failure = source(core, `type F = { readonly reason: 'a' } | { readonly reason: 'b' };`);
    const test = source('test/a.test.ts', `expect(x).toEqual({ reason: 'a' }); // 'b'`);
    expect(reasonsIn(failure)).toEqual(['a', 'b']);
    expect(unprovoked(reasonsIn(failure), [test])).toEqual(['b']);
  });
});
