import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startProblem } from '../start-problem.ts';
import { converse, type Conversation } from './conversation.ts';
import type { Face } from './face.ts';
import { followEvents } from './follow-events.ts';
import type { SessionClient } from './session-client.ts';

/** A session that is followed, and can be spoken to. */
export interface Talk {
  readonly client: SessionClient;
  readonly conversation: Conversation;
  /** Say it until it was taken: the same words under the same id are one input. */
  say(text: string): Promise<void>;
  close(): void;
}

const againMs = 1000;

export function openTalk(client: SessionClient, face: Face, gone: (why: Error) => void): Talk {
  const conversation = converse(client, face);
  let isLost = false;
  const follower = followEvents(client, {
    told: (event) => conversation.hear(event),
    connected(isConnected) {
      if (isConnected && isLost) face.tell('note', 'Connected again.');
      if (!isConnected && !isLost) face.tell('note', 'The server does not answer; I go on trying.');
      isLost = !isConnected;
    },
    refused: (status) => gone(startProblem(`The events are refused (${status ?? 'no answer'}).`)),
  });
  return {
    client,
    conversation,
    async say(text) {
      const inputId = `chat_${randomUUID()}`;
      conversation.expectInput(inputId);
      const refusal = await persist(() => client.say(text, inputId));
      if (refusal !== undefined) face.tell('failed', refusal);
    },
    close: () => follower.stop(),
  };
}

/** A server that is being started again is worth waiting for, but not by everybody for ever. */
export async function persist<T>(act: () => Promise<T>, triesMax = Infinity): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch {
      if (tries >= triesMax) throw startProblem('The server does not answer any more.');
      await delay(againMs);
    }
  }
}
