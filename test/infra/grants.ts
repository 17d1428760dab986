import { actionsOf, target, type Statement } from './template.ts';

/** `Storage/Tasks`, `…/index/due`: what a statement is about, without the hash CDK puts behind it. */
export function subject(resource: unknown): string {
  const joined = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (joined)
    return joined[1].map((part) => (typeof part === 'string' ? part : subject(part))).join('');
  return target(resource).replace(/[0-9A-F]{8}$/, '');
}

/** One line per action and resource, sorted, so that a grant added or lost shows as one line. */
export function grantsOf(statements: readonly Statement[]): readonly string[] {
  const lines = statements.flatMap((statement) =>
    [statement.Resource]
      .flat()
      .flatMap((resource) =>
        actionsOf(statement).map((action) => `${subject(resource)} ${action}`),
      ),
  );
  return lines.toSorted();
}
