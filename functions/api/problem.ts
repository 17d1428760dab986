import { failureText } from '../core/failure-text.ts';
import type { Failure, Flaw } from '../core/failure.ts';

/** RFC 9457. Nothing in it names an id, a trace or a time, so that equal refusals are equal bytes. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: ProblemStatus;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly Flaw[];
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 500;

export function problemOf(failure: Failure): Problem {
  const status = httpStatusOf(failure);
  const base = { type: 'about:blank', title: titles[status], status } as const;
  const said = { code: codeOf(failure), detail: failureText(failure) };
  return { ...base, ...said, ...('flaws' in failure ? { errors: failure.flaws } : {}) };
}

/** For what nobody expected: the log has the reason, the caller gets none of it. */
export const internalProblem: Problem = {
  type: 'about:blank',
  title: 'Internal Server Error',
  status: 500,
  code: 'internal_error',
  detail: 'Something went wrong on our side. Nothing that was accepted is lost; try again.',
};

const codeOf = (failure: Failure) =>
  failure.reason === 'route_not_found' ? 'not_found' : failure.reason;

function httpStatusOf(failure: Failure): ProblemStatus {
  switch (failure.reason) {
    case 'invalid_json':
    case 'invalid_request':
      return 400;
    case 'unauthorized':
      return 401;
    case 'forbidden_origin':
    case 'forbidden_host':
    case 'insufficient_scope':
      return 403;
    case 'route_not_found':
    case 'tool_not_found':
    case 'task_not_found':
    case 'session_not_found':
    case 'call_not_found':
    case 'webhook_not_found':
    case 'delivery_not_found':
      return 404;
    case 'endpoint_disabled':
    case 'idempotency_conflict':
    case 'response_conflict':
    case 'session_busy':
    case 'task_ended':
      return 409;
    case 'token_expired':
      return 410;
    case 'body_too_large':
      return 413;
    case 'result_schema_mismatch':
    case 'invalid_arguments':
    case 'url_refused':
      return 422;
  }
}

const titles: Record<ProblemStatus, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
};
