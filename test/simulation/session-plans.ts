import type { Chance } from './chance.ts';
import { toolPlans, type Input, type ToolName } from './tools.ts';

/** One thing a user means to say: the simulated model does exactly what its text asks for. */
export interface PlannedInput {
  readonly inputId: string;
  readonly atMs: number;
  readonly wish: Wish;
}

export interface Wish {
  readonly session: string;
  readonly inputId: string;
  readonly calls: readonly WishedCall[];
}

export interface WishedCall {
  readonly id: string;
  readonly tool: ToolName | 'peek';
  readonly input: Input;
}

export interface PlannedSession {
  readonly name: string;
  readonly inputs: readonly PlannedInput[];
  readonly cancelsAtMs: readonly number[];
  readonly clean: boolean;
}

const longNames = Object.keys(toolPlans) as ToolName[];
/** In calm a call must end as it should, and soon. */
const cleanNames: readonly ToolName[] = ['render', 'charge', 'flaky'];

export function planSession(
  chance: Chance,
  {
    name,
    withinMs,
    clean,
  }: { readonly name: string; readonly withinMs: number; readonly clean: boolean },
): PlannedSession {
  const count = chance.between(1, 5);
  const inputs = Array.from({ length: count }, (_, index) => {
    const inputId = `${name} says ${index}`;
    const calls = planCalls(chance, inputId, clean);
    return { inputId, atMs: chance.between(0, withinMs), wish: { session: name, inputId, calls } };
  });
  const cancels = clean ? 0 : chance.between(0, 2);
  const cancelsAtMs = Array.from({ length: cancels }, () => chance.between(0, withinMs));
  return { name, inputs, cancelsAtMs, clean };
}

function planCalls(chance: Chance, inputId: string, clean: boolean): readonly WishedCall[] {
  const count = chance.pick([0, 0, 1, 1, 1, 2, 3, 5]);
  return Array.from({ length: count }, (_, index) => {
    const tool = chance.happens(0.25) ? 'peek' : chance.pick(clean ? cleanNames : longNames);
    // A model may repeat its ids; the house must not care.
    const id = chance.happens(0.1) ? 'call_again' : `call_${inputId.replaceAll(' ', '.')}.${index}`;
    const input = {
      call: `${inputId} ${index}`,
      variant: 'first',
      times: chance.between(0, clean ? 1 : 2),
      afterMs: chance.between(500, 40_000),
      far: tool === 'charge' && chance.happens(0.2),
    };
    return { id, tool, input };
  });
}
