import { RetryAfterError, workerDeath } from '../../functions/core/author-errors.ts';
import { canonicalJson, digestOf } from '../../functions/core/digest.ts';
import { asTaskId } from '../../functions/core/ids.ts';
import { nearBytesMax } from '../../functions/core/limits.ts';
import { ok } from '../../functions/core/result.ts';
import type { TaskContext, Tool, Tools } from '../../functions/core/tool.ts';
import type { Clock } from '../../functions/ports.ts';
import { runOf } from './ci-system.ts';
import { perform } from './effect.ts';
import { checkEffect, checkHeard, checkRun } from './invariants.ts';
import type { ExpectedEnd } from './ledger.ts';
import type { Life } from './life.ts';
import { saw, type World } from './world.ts';

/** What every simulated tool is given. */
export type Input = {
  /** Names the call, whatever its arguments. */
  readonly call: string;
  readonly variant: string;
  /** How often it fails, waits or dies before it does its work. */
  readonly times: number;
  readonly afterMs: number;
  readonly far: boolean;
};

interface Stage {
  readonly input: Input;
  readonly task: TaskContext;
  readonly sleep: (ms: number) => Promise<void>;
  /** Has an effect outside the house, deduped by its key. */
  readonly effect: (index: number) => Promise<void>;
  /** Asks together, and says which were answered with yes. */
  readonly ask: (keys: readonly string[]) => Promise<readonly boolean[]>;
  /** Gives the work to a system elsewhere. */
  readonly setOff: () => void;
}

interface ToolPlan {
  readonly idempotent: boolean;
  readonly retries: number;
  readonly deadlineMs: number;
  readonly silenceMs?: number;
  /** Its end comes by webhooks of a CI system. */
  readonly inCi?: boolean;
  act(stage: Stage): Promise<void>;
  expected(input: Input): ExpectedEnd;
}

const minuteMs = 60_000;
const retries = 3;
const steady = { idempotent: true, retries, deadlineMs: 12 * minuteMs };
const onceOnly = { idempotent: false, retries: 0, deadlineMs: 12 * minuteMs };
const completes = () => 'completed' as const;

export const toolPlans = {
  /** Idempotent, with progress and a checkpoint at every step. */
  render: {
    ...steady,
    act: (stage) => inSteps(stage, 4, 3_000),
    expected: completes,
  },
  charge: {
    ...onceOnly,
    act: ({ sleep }) => sleep(8_000),
    expected: completes,
  },
  flaky: {
    ...steady,
    async act({ input, task, effect }) {
      await effect(0);
      if (task.attempt <= input.times) throw new Error('flaked');
    },
    expected: ({ times }) => (times > retries ? 'tool_failed' : 'completed'),
  },
  busy: {
    ...steady,
    deadlineMs: 40 * minuteMs,
    async act({ input, task, sleep }) {
      if (task.attempt <= input.times) throw new RetryAfterError(input.afterMs);
      await sleep(2_000);
    },
    expected: completes,
  },
  endless: {
    ...steady,
    deadlineMs: 5 * minuteMs,
    act: () => new Promise(() => {}),
    expected: () => 'timed_out',
  },
  mortal: {
    ...steady,
    deadlineMs: 20 * minuteMs,
    async act({ input, task, effect, sleep }) {
      await effect(0);
      await sleep(1_000);
      if (task.attempt <= input.times) throw workerDeath;
    },
    expected: ({ times }) => (times > retries ? 'lost' : 'completed'),
  },
  /** Dies after its effect, and may not be run again. */
  gamble: {
    ...onceOnly,
    async act({ sleep }) {
      await sleep(1_000);
      throw workerDeath;
    },
    expected: () => 'outcome_unknown',
  },
  /** Outlives its function twice, and goes on from its checkpoint. */
  long: {
    ...steady,
    deadlineMs: 40 * minuteMs,
    act: (stage) => inSteps(stage, 10, 50_000),
    expected: completes,
  },
  /** Asks before it acts, twice at once and then once more; whatever is no yes is a no. */
  careful: {
    ...steady,
    async act({ ask, effect, sleep }) {
      const both = await ask(['one', 'two']);
      await sleep(1_000);
      const last = await ask(['last']);
      if ([...both, ...last].every(Boolean)) await effect(0);
    },
    expected: completes,
  },
  /** Is only started here: its end comes by callback, or its silence ends it. */
  remote: {
    ...onceOnly,
    silenceMs: 3 * minuteMs,
    async act({ effect, setOff }) {
      await effect(0);
      setOff();
    },
    expected: completes,
  },
  /** Is run by a CI system, and says only afterwards which run is its own. */
  pipeline: {
    ...steady,
    silenceMs: 3 * minuteMs,
    inCi: true,
    async act({ input, task, sleep, effect, setOff }) {
      await effect(0);
      setOff();
      await sleep(2_000);
      await task.register(runOf(input));
    },
    expected: completes,
  },
} as const satisfies Record<string, ToolPlan>;

export type ToolName = keyof typeof toolPlans;

async function inSteps({ task, effect, sleep }: Stage, steps: number, stepMs: number) {
  const from = typeof task.state === 'number' ? task.state : 0;
  for (let step = from; step < steps; step += 1) {
    await effect(step);
    await sleep(stepMs);
    await task.progress(Math.round(((step + 1) / steps) * 100), `step ${step + 1}`);
    await task.checkpoint(step + 1);
  }
}

export const resultOf = (input: Input) => ({
  made: input.call,
  variant: input.variant,
  filling: input.far ? 'x'.repeat(nearBytesMax) : '',
});

export const digestOfValue = (value: unknown) => digestOf(canonicalJson(value));

/** The tools as one life runs them: their sleep ends with it. */
export function toolsFor(world: World, life: Life, clock: Clock): Tools {
  const entries = Object.entries(toolPlans) as [ToolName, ToolPlan][];
  const tools = entries.map(([name, plan]): [string, Tool] => {
    return [name, toolOf(world, life, clock, name, plan)];
  });
  const [first] = tools;
  if (!first) throw new Error('There are no tools.');
  return new Map([...tools, ['peek', { ...first[1], ...peek }]]);
}

/** Quick: a session answers it at once. */
const peek = {
  name: 'peek',
  longRunning: false,
  progressAt: [],
  run: async (given: unknown) => ({ peeked: given }),
};

function toolOf(world: World, life: Life, clock: Clock, name: ToolName, plan: ToolPlan): Tool {
  const { retries, deadlineMs, silenceMs } = plan;
  const idempotent = plan.idempotent || world.mutant.retriesAll === true;
  return {
    name,
    description: name,
    longRunning: true,
    inputSchema: {},
    outputSchema: undefined,
    deadlineMs,
    silenceMs,
    external: silenceMs !== undefined,
    progressAt: [],
    results: () => ({ min: 1, max: 1 }),
    checkInput: ok,
    checkResult: ok,
    retryRule: () => ({ retries: idempotent ? Math.max(1, retries) : retries, idempotent }),
    async run(given, task) {
      const input = given as Input;
      if (task.state !== undefined) saw(world, `${name} went on from its checkpoint`);
      checkRun(world, { taskId: task.idempotencyKey, digest: digestOfValue(input) });
      await plan.act({
        input,
        task,
        sleep: (ms) => clock.sleep(ms, task.signal),
        ask: async (keys) => {
          const answers = await task.askAll(keys.map((key) => ({ key, ...yesOrNo })));
          return answers.map((answer, index) =>
            checkHeard(world, task.idempotencyKey, keys[index] ?? '', answer),
          );
        },
        effect: (index) => haveEffect(world, life, `${input.call} ${index}`, task.idempotencyKey),
        setOff: () =>
          world.setOff({
            owner: task.owner,
            taskId: asTaskId(task.idempotencyKey),
            input,
            inCi: plan.inCi ?? false,
          }),
      });
      return resultOf(input);
    },
  };
}

const yesOrNo = {
  message: 'Shall it?',
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
};

const haveEffect = (world: World, life: Life, effect: string, key: string) =>
  perform(world, life, {
    name: `effect ${effect}`,
    apply: async () => checkEffect(world, effect, key),
  });
