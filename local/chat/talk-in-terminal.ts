import { chatCommand } from '../chat-command.ts';
import type { Paint } from '../talk/paint.ts';
import { commandWords, isCommand, runCommand } from './commands.ts';
import { newEnding, type Ending } from './ending.ts';
import { openTalk, type Talk } from './open-talk.ts';
import type { SessionClient } from './session-client.ts';
import { terminalFace, type TerminalFace } from './terminal-face.ts';
import { startTyping } from './typed-line.ts';

interface Console {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly paint: Paint;
}

const greeting =
  `Try "install redis and update me every 25%", and go on talking meanwhile.\n` +
  `Ctrl-C cancels the newest call, or leaves; ${commandWords}.`;

const everySecondMs = 1000;

interface Room {
  readonly face: TerminalFace;
  readonly talk: Talk;
  readonly ending: Ending;
}

/** Talk until the user leaves. Bars move while a line is typed, and neither disturbs the other. */
export async function talkInTerminal(
  client: SessionClient,
  { stdin, stdout, paint }: Console,
): Promise<void> {
  const ending = newEnding();
  const typing = startTyping(stdin, {
    typed: (line) => void take(room, line.trim()),
    moved: () => face.screen.draw(),
    interrupted: () => void cancelNewest(room),
    left: ending.leave,
  });
  const face = terminalFace(stdout, paint, () => typing);
  face.tell('note', `${greeting}\n`);
  const room: Room = { face, ending, talk: openTalk(client, face, ending.fail) };
  const drawing = keepDrawing(room, stdout);
  try {
    await ending.over;
  } finally {
    drawing.stop();
    room.talk.close();
    face.screen.close(goodbye(client, room.talk.conversation.running.length));
    typing.close();
  }
}

async function take({ face, talk, ending }: Room, line: string): Promise<void> {
  if (line === '') return;
  face.tell('you', line);
  if (!isCommand(line)) return talk.say(line);
  if ((await runCommand(line, talk.client, face.tell)) === 'leave') ending.leave();
}

/** Asked for once: whoever presses again means the next one, or wants to leave. */
async function cancelNewest({ face, talk, ending }: Room): Promise<void> {
  const { client, conversation } = talk;
  const call = conversation.running.findLast(({ isCancelling }) => !isCancelling);
  if (!call) return ending.leave();
  call.isCancelling = true;
  conversation.refresh();
  const refusal = await client.cancel(call.callId).catch(() => 'The server does not answer.');
  if (refusal !== undefined) face.tell('failed', refusal);
}

/** Bars show how long it has been, and a terminal that changed its size must be drawn anew. */
function keepDrawing({ face, talk }: Room, stdout: NodeJS.WriteStream): { stop(): void } {
  const redraw = () => face.screen.draw();
  const ticking = setInterval(() => {
    if (talk.conversation.running.length > 0) redraw();
  }, everySecondMs);
  stdout.on('resize', redraw);
  return {
    stop() {
      clearInterval(ticking);
      stdout.off('resize', redraw);
    },
  };
}

/** What was begun goes on; the session can be come back to. */
function goodbye({ server, sessionId }: SessionClient, running: number): readonly string[] {
  const goesOn = running === 0 ? '' : 'What is running goes on. ';
  const { url, key } = server;
  const command = chatCommand({ url, sessionId, needsKey: key !== undefined });
  return ['', `  ${goesOn}Come back with: ${command}`, ''];
}
