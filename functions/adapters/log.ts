import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '../ports.ts';

/** One JSON line per fact on AWS. */
export function lambdaLog(room: string): Log {
  const logger = new Logger({ serviceName: `boomerang-${room}` });
  return (level, fact, data) => {
    if (data) logger[level](fact, { ...data });
    else logger[level](fact);
  };
}
