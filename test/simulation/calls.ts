import type { Chance } from './chance.ts';
import { toolPlans, type Input, type ToolName } from './tools.ts';

/** One start as one client means to make it. */
export interface PlannedStart {
  readonly tool: ToolName;
  readonly input: Input;
  readonly identity: string | undefined;
  readonly atMs: number;
  readonly clean: boolean;
}

const toolNames = Object.keys(toolPlans) as ToolName[];

/** While faults are on: calls of every kind, some made twice, some under an identity already taken. */
export function planStarts(chance: Chance, withinMs: number): PlannedStart[] {
  const calls = Array.from({ length: chance.between(6, 11) }, (_, index) => index);
  return calls.flatMap((index) => {
    const tool = chance.pick(toolNames);
    const call = `call ${index}`;
    const first: PlannedStart = {
      tool,
      input: inputFor(chance, tool, call),
      identity: chance.happens(0.8) ? call : undefined,
      atMs: chance.between(0, withinMs),
      clean: false,
    };
    return first.identity ? [first, ...rivalsOf(chance, first)] : [first];
  });
}

/** Clients with the same identity: mostly with the same arguments, sometimes with others. */
function rivalsOf(chance: Chance, first: PlannedStart): PlannedStart[] {
  const near = () => first.atMs + chance.between(0, chance.pick([20, 2_000, 60_000]));
  const same = chance.happens(0.4) ? [{ ...first, atMs: near() }] : [];
  const input = { ...first.input, variant: 'other' };
  const other = chance.happens(0.3) ? [{ ...first, input, atMs: near() }] : [];
  return [...same, ...other];
}

/** After the last fault: one call of every tool, each of which must end as it should. */
export const planCleanStarts = (chance: Chance): PlannedStart[] =>
  toolNames.map((tool) => {
    const call = `clean ${tool}`;
    return {
      tool,
      input: { ...inputFor(chance, tool, call), times: chance.between(0, 2) },
      identity: call,
      atMs: chance.between(0, 5_000),
      clean: true,
    };
  });

function inputFor(chance: Chance, tool: ToolName, call: string): Input {
  return {
    call,
    variant: 'first',
    times: chance.between(0, chance.pick([1, 2, 5])),
    afterMs: chance.happens(0.1) ? 16 * 60_000 : chance.between(500, 40_000),
    far: tool === 'charge' && chance.happens(0.3),
  };
}
