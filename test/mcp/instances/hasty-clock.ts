import { systemClock } from '../../../functions/adapters/process.ts';
import type { Clock } from '../../../functions/ports.ts';

/** How much faster time passes in the instances than outside: the engines behind them keep our time. */
export const haste = 5;

/** The same time in every process that knows when it began. */
export const hastyClock = (fromMs: number): Clock => ({
  nowMs: () => Math.round(fromMs + (Date.now() - fromMs) * haste),
  sleep: (ms, signal) => systemClock.sleep(ms / haste, signal),
});
