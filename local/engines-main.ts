import './quiet.ts';
import { startEngines } from './engines.ts';
import { dataDirOf } from './local-settings.ts';
import { runUntilStopped } from './start.ts';

/** `npm run engines`: only the engines, and the environment that lets other processes join them. */
await runUntilStopped(async () => {
  const engines = await startEngines(dataDirOf(process.env));
  for (const [name, value] of Object.entries(engines.environment)) {
    process.stdout.write(`${name}=${value}\n`);
  }
  process.stdout.write('ready\n');
  return engines;
});
