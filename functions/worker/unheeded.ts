/** Whoever awaits what is done sees its error. One that nobody awaits must not bring the process down. */
export function unheeded<Given extends readonly unknown[]>(
  act: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  return (...given) => {
    const done = act(...given);
    done.catch(() => {});
    return done;
  };
}
