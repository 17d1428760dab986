import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isCommand, runCommand } from './commands.ts';
import { newEnding } from './ending.ts';
import { openTalk, persist, type Talk } from './open-talk.ts';
import { plainFace } from './plain-face.ts';
import type { SessionClient } from './session-client.ts';

interface Pipes {
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
}

const lookEveryMs = 100;
/** Nobody is there to start the server again. */
const triesMax = 30;

/** Say one line after another, each when the model has answered the last; at the end wait for what runs. */
export async function talkInLines(client: SessionClient, { stdin, write }: Pipes): Promise<void> {
  const face = plainFace(write);
  const ending = newEnding();
  const talk = openTalk(client, face, ending.fail);
  const saying = async () => {
    for await (const line of createInterface({ input: stdin })) {
      if (line.trim() === '') continue;
      face.tell('you', line.trim());
      if (!isCommand(line)) await talk.say(line.trim());
      else if ((await runCommand(line, client, face.tell)) === 'leave') return;
      await answered(talk, 'spoken to');
    }
    await answered(talk, 'over');
  };
  try {
    await Promise.race([saying(), ending.over]);
  } finally {
    talk.close();
  }
}

/** Wait until the model has spoken, or also until nothing is under way; and until all of it was told. */
async function answered(
  { client, conversation }: Talk,
  until: 'spoken to' | 'over',
): Promise<void> {
  for (;;) {
    const { status, turns, pending } = await persist(() => client.view(), triesMax);
    await conversation.told();
    const isTold = conversation.turns >= turns && conversation.status === status;
    const rests = status !== 'running' && (until === 'spoken to' || pending.length === 0);
    if (rests && isTold) return;
    await delay(lookEveryMs);
  }
}
