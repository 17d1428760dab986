import * as z from 'zod';
import type { Answer, AskedQuestion, JsonSchema, Tool } from '../../functions/core/tool.ts';
import { defineTool } from '../../functions/tools/define-tool.ts';

/** Tools of the suite that ask while they run. */
const words = (text: string) => ({ content: [{ type: 'text', text }] });

const form = (key: string, message: string, properties: JsonSchema): AskedQuestion => ({
  key,
  message,
  schema: { type: 'object', properties, required: [] },
});

const asksWhileRunning = (
  name: string,
  questions: (input: Record<string, unknown>) => readonly AskedQuestion[],
  answer: (answers: readonly Answer[]) => string,
  tasksOnly = false,
): Tool =>
  defineTool({
    name,
    description: `Asks while it runs (${name}).`,
    longRunning: true,
    idempotent: true,
    tasksOnly,
    input: z.looseObject({}),
    run: async (input, task) => words(answer(await task.askAll(questions(input)))),
  });

const confirm = { confirm: { type: 'boolean' } };
const said = (answers: readonly Answer[]) => JSON.stringify(answers);

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = ['1', '2', '3'].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
const plain = ['option1', 'option2', 'option3'];
const enums = {
  untitledSingle: { type: 'string', enum: plain },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

export const runningQuestions: readonly Tool[] = [
  asksWhileRunning(
    'confirm_delete',
    ({ filename }) => [form('confirm', `Delete ${String(filename)}?`, confirm)],
    ([answer]) => (answer?.action === 'accept' ? 'deleted' : 'kept'),
    true,
  ),
  asksWhileRunning(
    'multi_input',
    () => [
      form('name', 'What is your name?', { name: { type: 'string' } }),
      form('confirm', 'Go on?', confirm),
    ],
    said,
    true,
  ),
  asksWhileRunning(
    'test_elicitation',
    ({ message }) => [
      form('user', String(message), { username: { type: 'string' }, email: { type: 'string' } }),
    ],
    said,
  ),
  asksWhileRunning(
    'test_elicitation_sep1034_defaults',
    () => [form('defaults', 'Review these values', defaults)],
    said,
  ),
  asksWhileRunning('test_elicitation_sep1330_enums', () => [form('enums', 'Choose', enums)], said),
];
