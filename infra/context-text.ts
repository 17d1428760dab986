import type { Construct } from 'constructs';

/** A setting of whoever deploys: `-c name=value`. What is wrong is not repeated: it may be a secret. */
export function contextText(
  scope: Construct,
  name: string,
  must: string,
  form: RegExp,
): string | undefined {
  const given: unknown = scope.node.tryGetContext(name);
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string' && form.test(given)) return given;
  throw new Error(`The context "${name}" must ${must}`);
}
