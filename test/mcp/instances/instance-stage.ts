import { secretSealer } from '../../../functions/adapters/sealer.ts';
import type { Stage } from '../stage.ts';
import type { DoorName } from './doors.ts';
import { haste, hastyClock } from './hasty-clock.ts';

/** Instances that run already, as their starter describes them to the tests. */
export interface Instances {
  /** Round robins, by the door that they lead to. */
  readonly urls: Readonly<Record<DoorName, string>>;
  readonly fromMs: number;
  readonly secret: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    instances: Instances | undefined;
  }
}

/** All files share the instances, so each has owners of its own. */
export const instanceStage = (instances: Instances, file: string, door: DoorName): Stage => ({
  url: instances.urls[door],
  elsewhere: instances.urls[door],
  hastyUrl: instances.urls.hasty,
  clock: hastyClock(instances.fromMs),
  haste,
  sealer: secretSealer(instances.secret),
  key: (name) => `key-of-${name}-${file}`,
  stop: async () => {},
});
