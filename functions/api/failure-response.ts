import type { TypedResponse } from 'hono';
import type { Failure, Flaw } from '../core/failure.ts';
import { problemOf, type Problem, type ProblemStatus } from './problem.ts';

type WireProblem = Omit<Problem, 'errors' | 'status'> & { status: number; errors?: Flaw[] };
/** Typed, so that a route may only refuse if it declares refusals. */
export type ProblemResponse = Response & TypedResponse<WireProblem, ProblemStatus, 'json'>;

export const failureResponse = (failure: Failure): ProblemResponse =>
  problemResponse(problemOf(failure));

export function problemResponse(problem: Problem): ProblemResponse {
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer');
  const { status } = problem;
  return new Response(JSON.stringify(problem), { status, headers }) as ProblemResponse;
}
