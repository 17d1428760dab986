import * as z from 'zod';
import type { Question, Tool } from '../../functions/core/tool.ts';
import { defineTool } from '../../functions/tools/define-tool.ts';

/** Tools that must know more before they begin. */
const words = (text: string) => ({ content: [{ type: 'text', text }] });

const ask = (message: string, field: string, type = 'string'): Question => ({
  message,
  schema: { type: 'object', properties: { [field]: { type } }, required: [field] },
});

const asking = (
  name: string,
  questions: (known: Readonly<Record<string, unknown>>) => Readonly<Record<string, Question>>,
  answer: (known: Record<string, unknown>) => string,
): Tool =>
  defineTool({
    name,
    description: `Asks before it begins (${name}).`,
    input: z.looseObject({}),
    asksFirst: questions,
    run: (known) => words(answer(known)),
  });

const nameOf = ({ user_name }: Record<string, unknown>) =>
  (user_name as { readonly name: string }).name;

export const askingFixtures: readonly Tool[] = [
  asking(
    'test_input_required_result_elicitation',
    () => ({ user_name: ask('What is your name?', 'name') }),
    (known) => `Hello, ${nameOf(known)}!`,
  ),
  asking(
    'test_input_required_result_request_state',
    () => ({ confirm: ask('Please confirm', 'ok', 'boolean') }),
    () => 'state-ok',
  ),
  asking(
    'test_input_required_result_tampered_state',
    () => ({ confirm: ask('Please confirm', 'ok', 'boolean') }),
    () => 'state-ok',
  ),
  asking(
    'test_input_required_result_multi_round',
    (known) => ({
      step1: ask('Step 1: What is your name?', 'name'),
      ...('step1' in known ? { step2: ask('Step 2: What is your favorite color?', 'color') } : {}),
    }),
    (known) => JSON.stringify(known),
  ),
  asking(
    'test_streaming_elicitation',
    () => ({ confirm: ask('Please confirm', 'ok', 'boolean') }),
    () => 'ok',
  ),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks for a name, then becomes a task.',
    longRunning: true,
    tasksOnly: true,
    input: z.object({ user_name: z.object({ name: z.string() }) }),
    asksFirst: () => ({ user_name: ask('What is your name?', 'name') }),
    run: (known) => words(`Hello, ${nameOf(known)}!`),
  }),
];
