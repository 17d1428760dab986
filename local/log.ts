import type { Log } from '../functions/ports.ts';

/** One readable line per fact worth a person's attention. */
export const terminalLog: Log = (level, fact, data) => {
  if (level === 'info' && fact !== 'task ended' && !fact.startsWith('ci report')) return;
  const time = new Date().toISOString().slice(11, 19);
  const details = Object.entries(data ?? {}).map(([name, value]) => `${name}=${value}`);
  const line = [time, level === 'info' ? '' : level.toUpperCase(), fact, ...details];
  process.stdout.write(`${line.filter((part) => part !== '').join(' ')}\n`);
};
