import * as z from 'zod';
import type { Flaw } from '../core/failure.ts';
import { describeLongRunning, type ResultCount } from '../core/guidance.ts';
import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import { deadlineDefaultMs, retriesDefault } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { TaskContext, Tool, Tools } from '../core/tool.ts';
import { refuseWrongDefinition } from './check-definition.ts';

/** A tool as its author writes it. `longRunning` is the only difference a caller can notice. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly output?: Output;
  readonly longRunning?: boolean;
  /** Only for clients that understand MCP tasks; others of 2026-07-28 are refused instead of held. */
  readonly tasksOnly?: boolean;
  /** Running twice has the effect of running once: only then is a run repeated after its worker died. */
  readonly idempotent?: boolean | ((input: z.output<Input>) => boolean);
  /** How often a run that threw is repeated; 3 for an idempotent tool, else 0. */
  readonly retries?: number;
  readonly deadlineS?: number;
  /** How many results one call gives, if not one; all but the last by `task.result`. */
  readonly results?: number | ResultCount | ((input: z.output<Input>) => number | ResultCount);
  /** Percentages at which a session hears how far it is, ascending, 1 to 99. */
  readonly progressAt?: readonly number[];
  /** What to ask before it begins, where the client can; each answer becomes the argument it is named after. */
  readonly asksFirst?: NonNullable<Tool['asksFirst']>;
  run(input: z.output<Input>, task: TaskContext): Promise<z.input<Output>> | z.input<Output>;
}

/** Check a definition and make it a tool. A wrong one throws at start-up, and says which and what. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType = z.ZodUnknown>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  refuseWrongDefinition(definition);
  const { name, input, output, longRunning = false, results = 1 } = definition;
  const known = typeof results === 'function' ? 1 : results;
  return {
    name,
    description: longRunning
      ? describeLongRunning(definition.description, known)
      : definition.description.trim(),
    longRunning,
    tasksOnly: definition.tasksOnly ?? false,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: output && jsonSchema(output, 'output'),
    deadlineMs: definition.deadlineS ? definition.deadlineS * 1000 : deadlineDefaultMs,
    silenceMs: undefined,
    external: false,
    progressAt: definition.progressAt ?? [],
    results(value) {
      if (typeof results !== 'function') return countOf(results);
      const parsed = input.safeParse(value);
      return countOf(parsed.success ? results(parsed.data) : 1);
    },
    ...(definition.asksFirst ? { asksFirst: definition.asksFirst } : {}),
    checkInput: (value) => refuseDeep(name, value) ?? check(name, input, value),
    checkResult: (value) => (output ? check(name, output, value) : ok(value)),
    retryRule(value) {
      const parsed = input.safeParse(value);
      const idempotent = parsed.success && isIdempotent(definition, parsed.data);
      return { idempotent, retries: definition.retries ?? (idempotent ? retriesDefault : 0) };
    },
    // The input was checked by checkInput, which both the door and the worker call first.
    run: async (value, task) => definition.run(value as z.output<Input>, task),
  };
}

/** The tools of a deployment by name; two of one name are refused. */
export function toolsByName(list: readonly Tool[]): Tools {
  const tools = new Map<string, Tool>();
  for (const tool of list) {
    if (tools.has(tool.name)) throw new Error(`Two tools are named "${tool.name}".`);
    tools.set(tool.name, tool);
  }
  return tools;
}

function isIdempotent<Input extends z.ZodObject, Output extends z.ZodType>(
  { idempotent = false }: ToolDefinition<Input, Output>,
  input: z.output<Input>,
): boolean {
  return typeof idempotent === 'function' ? idempotent(input) : idempotent;
}

const countOf = (results: number | ResultCount): ResultCount =>
  typeof results === 'number' ? { min: results, max: results } : results;

/** Before the schema looks at it: a schema may walk it by recursion. */
const refuseDeep = (tool: string, value: unknown) =>
  isTooDeep(value) ? refuse({ reason: 'invalid_arguments', tool, flaws: [tooDeep] }) : undefined;

function check(tool: string, schema: z.ZodType, value: unknown): Result<unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const flaws = parsed.error.issues.map((issue): Flaw => {
    return { path: issue.path.join('.'), message: issue.message };
  });
  return refuse({ reason: 'invalid_arguments', tool, flaws });
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema: _draft, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain;
}
