import type { Log } from '../functions/ports.ts';

/** One readable line per fact worth a person's attention. */
export const terminalLog: Log = (level, fact, data) => {
  if (level === 'info' && fact !== 'task ended' && !fact.startsWith('ci report')) return;
  process.stdout.write(`${logLine(level, fact, data)}\n`);
};

/** What a fact does not know is left out. */
export const logLine = (...[level, fact, data]: Parameters<Log>): string => {
  const time = new Date().toISOString().slice(11, 19);
  const details = Object.entries(data ?? {}).flatMap(([name, value]) =>
    value === undefined || String(value).trim() === '' ? [] : [`${name}=${value}`],
  );
  const line = [time, level === 'info' ? '' : level.toUpperCase(), fact, ...details];
  return line.filter((part) => part !== '').join(' ');
};
