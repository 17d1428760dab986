import '../quiet.ts';
import { startProblem } from '../start-problem.ts';
import { runToEnd } from '../start.ts';
import { paintFor } from '../talk/paint.ts';
import { playScenario } from './play-scenario.ts';
import { readScenario } from './read-scenario.ts';
import { momentText, summaryText, titleText } from './transcript.ts';

/** `npm run scenario <file>`: play it offline on a virtual clock, and print what happens. */
async function main(files: readonly string[]): Promise<void> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) {
    throw startProblem('Say which scenario: npm run scenario examples/scenarios/deploy.json.');
  }
  const { stdout, env } = process;
  const page = { width: Math.min(stdout.columns || 100, 100), paint: paintFor(stdout, env) };
  const scenario = readScenario(file);
  stdout.write(titleText(scenario, page));
  const played = await playScenario(scenario, {
    heard: (moment) => stdout.write(momentText(moment, page)),
  });
  stdout.write(summaryText(played, page));
}

await runToEnd(() => main(process.argv.slice(2)));
