import type { Failure, Flaw } from './failure.ts';

/** One sentence for a person or a model. The task ids of others never occur in it. */
export function failureText(failure: Failure): string {
  switch (failure.reason) {
    case 'invalid_json':
      return `The body is not JSON: ${failure.detail}`;
    case 'invalid_request':
      return `The request is not valid: ${flawText(failure.flaws)}`;
    case 'invalid_arguments':
      return failure.isAnswer
        ? `The answer does not fit what ${failure.tool} asks: ${flawText(failure.flaws)}`
        : `The arguments do not fit the tool ${failure.tool}: ${flawText(failure.flaws)}`;
    case 'body_too_large':
      return `The body is larger than ${failure.bytesMax} bytes.`;
    case 'unauthorized':
    case 'response_conflict':
      return failure.detail;
    case 'forbidden_origin':
      return 'Pages of this origin are not answered. ALLOWED_ORIGINS names those that are.';
    case 'forbidden_host':
      return 'Without API keys only requests to this machine by its own name are answered.';
    case 'insufficient_scope':
      return `The access token lacks the scope ${failure.scope}.`;
    case 'route_not_found':
      return 'There is no such route.';
    case 'tool_not_found':
      return `There is no tool named "${failure.tool}". There are: ${failure.known.join(', ')}.`;
    case 'task_not_found':
      return 'There is no such task.';
    case 'session_not_found':
      return 'There is no such session.';
    case 'call_not_found':
      return 'The session has no such call.';
    case 'webhook_not_found':
      return 'There is no such webhook endpoint.';
    case 'delivery_not_found':
      return 'There is no such delivery.';
    case 'endpoint_disabled':
      return 'The webhook endpoint is disabled; its recover enables it again.';
    case 'url_refused':
      return `Webhooks cannot go to this URL: ${failure.detail}.`;
    case 'session_busy':
      return 'The session is answering and takes no input meanwhile.';
    case 'token_expired':
      return 'The callback token has expired.';
    case 'result_schema_mismatch':
      return `The result does not fit the output of ${failure.tool}: ${flawText(failure.flaws)}`;
    case 'task_ended':
      return `The task has already ended: ${failure.status}.`;
    case 'idempotency_conflict':
      return 'This idempotency key or call id was used before, with other arguments or too long ago.';
  }
}

const flawText = (flaws: readonly Flaw[]) =>
  flaws.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
