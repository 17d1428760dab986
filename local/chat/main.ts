import { parseArgs } from 'node:util';
import { hostOf, portOf, urlOf } from '../local-settings.ts';
import { startProblem } from '../start-problem.ts';
import { runToEnd } from '../start.ts';
import { paintFor } from '../talk/paint.ts';
import { openSession } from './session-client.ts';
import { talkInLines } from './talk-in-lines.ts';
import { talkInTerminal } from './talk-in-terminal.ts';

const usage = 'Use it so: npm run chat -- [--url <address>] [--key <key>] [--session <id>].';

/** `npm run chat`: talk with a session of the server that `npm start` runs. */
await runToEnd(async () => {
  const { env, stdin, stdout } = process;
  const { url = urlOf(hostOf(env), portOf(env)), key, session, help } = given();
  if (help) return void stdout.write(`${usage}\n`);
  const client = await openSession({ url: url.replace(/\/+$/, ''), key }, session);
  if (stdin.isTTY && stdout.isTTY) {
    await talkInTerminal(client, { stdin, stdout, paint: paintFor(stdout, env) });
  } else {
    await talkInLines(client, { stdin, write: (text) => void stdout.write(text) });
  }
});

function given() {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean' } as const;
  try {
    return parseArgs({ options: { url: text, key: text, session: text, help } }).values;
  } catch {
    throw startProblem(usage);
  }
}
