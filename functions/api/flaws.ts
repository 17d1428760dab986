import type { z } from '@hono/zod-openapi';
import type { Flaw } from '../core/failure.ts';

type Issue = z.core.$ZodIssue;

/** What is wrong with a request, each flaw where it stands. */
export const flawsOf = (issues: readonly Issue[]): readonly Flaw[] =>
  issues.flatMap((issue) => flawsIn(issue, []));

function flawsIn(issue: Issue, within: readonly PropertyKey[]): readonly Flaw[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'not known here' }));
  }
  const meant = issue.code === 'invalid_union' ? branchMeant(issue.errors) : undefined;
  if (meant) return meant.flatMap((inner) => flawsIn(inner, path));
  return [{ path: path.join('.'), message: issue.message }];
}

/** Of several forms, the one that was meant is the one that something inside of is wrong. */
const branchMeant = (branches: readonly (readonly Issue[])[]) =>
  branches.find((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
