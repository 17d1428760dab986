import * as z from 'zod';

/** A scenario as its file writes it; examples/scenarios/README.md tells the same to people. */

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** "8m12s", or a number of seconds, in milliseconds. */
const moment = z.union(
  [
    z
      .number()
      .min(0)
      .transform((seconds) => seconds * 1000),
    z
      .string()
      .regex(/^(?=.)(\d+d)?(\d+h)?(\d+m)?(\d+(\.\d+)?s)?$/)
      .transform((text) =>
        [...text.matchAll(/([\d.]+)([dhms])/g)].reduce(
          (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
          0,
        ),
      ),
  ],
  { error: 'neither a number of seconds nor a time such as "8m12s"' },
);

/** Whose call is meant: by the model's id, or the oldest open one of a tool. */
const callNamed = {
  tool: z.string().optional(),
  call_id: z.string().optional(),
  /** The outcome or the problem code that is the right answer; without it any success is. */
  answer: z.string().optional(),
};

const report = z.strictObject({ percent: z.number().optional(), message: z.string().optional() });

const respond = z.strictObject({
  ...callNamed,
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  progress: report.optional(),
});

const callback = z.strictObject({
  ...callNamed,
  status: z.enum(['progress', 'completed', 'failed']),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  progress: report.optional(),
});

const texts = z.array(z.string().min(1));

const expectation = z.strictObject({
  status: z.enum(['idle', 'running', 'input_required', 'failed']).optional(),
  finish_reason: z.enum(['stop', 'input_required', 'max_turns', 'error']).optional(),
  /** Names of the tools whose calls are open, in call order. */
  pending: z.array(z.string()).optional(),
  turns: z.int().min(0).optional(),
  model_requests: z.int().min(0).optional(),
  texts_include: texts.optional(),
  texts_exclude: texts.optional(),
  texts_once: texts.optional(),
});

const anyStep = z.strictObject({
  at: moment,
  say: z.string().min(1).optional(),
  respond: respond.optional(),
  callback: callback.optional(),
  cancel: z.strictObject(callNamed).optional(),
  expect: expectation.optional(),
});

type AnyStep = z.output<typeof anyStep>;

const step = anyStep
  .refine(doesOneThing, { error: 'it must do exactly one of say, respond, callback, cancel' })
  .refine(namesCall, { error: 'it names no call by tool or call_id' });

/** A step may also only expect. */
function doesOneThing({ say, respond, callback, cancel, expect }: AnyStep): boolean {
  const deeds = [say, respond, callback, cancel].filter((deed) => deed !== undefined).length;
  return deeds === 1 || (deeds === 0 && expect !== undefined);
}

function namesCall({ respond, callback, cancel }: AnyStep): boolean {
  const named = respond ?? callback ?? cancel;
  return !named || named.tool !== undefined || named.call_id !== undefined;
}

export const scenarioFile = z
  .strictObject({
    title: z.string().min(1),
    about: z.string().optional(),
    /** "scripted" is the demo model; a list is a script, whose own reader looks at its steps. */
    model: z.union([z.literal('scripted'), z.array(z.unknown())]).default('scripted'),
    /** As POST /v1/sessions takes it. */
    session: z.record(z.string(), z.unknown()).default({}),
    steps: z.array(step).min(1),
    ends_at: moment.optional(),
    expect: expectation.default({}),
  })
  .refine(({ steps }) => steps.every(({ at }, n) => at >= (steps[n - 1]?.at ?? 0)), {
    path: ['steps'],
    error: 'they are not in the order of their times',
  });

export type Scenario = z.output<typeof scenarioFile>;
export type ScenarioStep = Scenario['steps'][number];
export type Expectation = z.output<typeof expectation>;
/** How a step names the call that it is about. */
export type NamedCall = Pick<z.output<typeof respond>, 'tool' | 'call_id'>;
