/** The end of a talk: someone leaves, or it cannot go on. */
export interface Ending {
  readonly over: Promise<void>;
  readonly leave: () => void;
  readonly fail: (why: Error) => void;
}

export function newEnding(): Ending {
  let [leave, fail]: [() => void, (why: Error) => void] = [() => {}, () => {}];
  const over = new Promise<void>((resolve, reject) => {
    [leave, fail] = [resolve, reject];
  });
  return { over, leave, fail };
}
