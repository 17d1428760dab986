/** One life of a process or of one handling in it. The dead never hear an answer again. */
export interface Life {
  readonly name: string;
  readonly skewMs: number;
  /** When it began, on its own clock. */
  readonly bornAtMs: number;
  readonly died: Promise<void>;
  /** Ids of the tasks whose end it told. */
  readonly told: Set<string>;
  /** Ids of the tasks that it knows to have asked: the answer brings a message of its own. */
  readonly rested: Set<string>;
  /** What it sent, as `kind taskId`, once the queue has it. */
  readonly sent: Set<string>;
  readonly isAlive: () => boolean;
  readonly kill: () => void;
  /** The whole process dies, and all that lives in it. */
  readonly crash: () => void;
}

export interface LifeOptions {
  readonly name: string;
  readonly skewMs: number;
  readonly nowMs: number;
  readonly process?: Life | undefined;
}

export function newLife({ name, skewMs, nowMs, process }: LifeOptions): Life {
  let alive = true;
  let onDeath = () => {};
  const died = new Promise<void>((resolve) => {
    onDeath = resolve;
  });
  const kill = () => {
    alive = false;
    onDeath();
  };
  return {
    name,
    skewMs: process?.skewMs ?? skewMs,
    bornAtMs: nowMs + (process?.skewMs ?? skewMs),
    died,
    told: new Set(),
    rested: new Set(),
    sent: new Set(),
    isAlive: () => alive && (process?.isAlive() ?? true),
    kill,
    crash: () => (process ?? { kill }).kill(),
  };
}

export const never = <T>(): Promise<T> => new Promise<T>(() => {});
