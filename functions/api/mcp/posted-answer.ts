import * as z from 'zod';
import { failureText } from '../../core/failure-text.ts';
import type { Owner } from '../../core/ids.ts';
import { findTask } from '../../tasks/find-task.ts';
import { giveAnswers } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { noteRefused } from './refused-answer.ts';
import { unseal } from './seals.ts';

/** The client's response to a question that we put to it; the id says which, on any instance. */
export const postedAnswer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.string(),
  method: z.undefined().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

/**
 * Whatever an id is worth that is not the asker's own, the answer is the same: it tells nobody which tasks
 * there are.
 */
export async function takeAnswer(
  ports: McpNeeds,
  owner: Owner,
  answer: z.output<typeof postedAnswer>,
): Promise<Response> {
  const question = unseal(ports, 'question', answer.id, owner);
  const found = question && (await findTask(ports, question));
  // A client that could not ask says nothing of what its user wants. It is not asked again either: it might
  // fail for ever, and whoever else can answer still may.
  if (question && found?.ok && answer.error === undefined) {
    const flawed = await giveAnswers(ports, found.value, { [question.key]: answer.result });
    if (flawed) {
      await noteRefused(ports, question);
      const error = { code: -32_602, message: failureText(flawed) };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
    }
  }
  return new Response(null, { status: 202 });
}
