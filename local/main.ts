import './quiet.ts';
import { banner } from './banner.ts';
import { startEngines } from './engines.ts';
import { startHouse } from './house.ts';
import { checkSettings, dataDirOf } from './local-settings.ts';
import { enginesRunElsewhere, joinEngines } from './join.ts';
import { terminalLog } from './log.ts';
import { runUntilStopped } from './start.ts';

/** `npm start`: the whole system in one process, on embedded engines unless others are named. */
await runUntilStopped(async () => {
  const { env } = process;
  checkSettings(env);
  const given = { ...env };
  const dataDir = dataDirOf(env);
  const engines = enginesRunElsewhere(env)
    ? await joinEngines(env, dataDir)
    : await startEngines(dataDir);
  Object.assign(env, engines.environment);
  const house = await startHouse(env, terminalLog, given);
  process.stdout.write(banner(house.url, env, process.pid));
  return {
    async stop() {
      await house.stop();
      await engines.stop();
    },
  };
});
