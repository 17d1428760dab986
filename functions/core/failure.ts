import type { EndedStatus } from './task.ts';

/** One thing wrong with an input: where it stands and what was expected there. */
export interface Flaw {
  readonly path: string;
  readonly message: string;
}

/**
 * Every refusal the house can give. Add an arm and the compiler lists the edges that owe an answer.
 * No arm of a not-found failure carries an id: a foreign id and an unknown one must read alike.
 */
export type Failure =
  | { readonly reason: 'invalid_json'; readonly detail: string }
  | { readonly reason: 'invalid_request'; readonly flaws: readonly Flaw[] }
  | {
      readonly reason: 'invalid_arguments';
      readonly tool: string;
      readonly flaws: readonly Flaw[];
      /** It was an answer to a question of the tool. */
      readonly isAnswer?: true;
    }
  | { readonly reason: 'body_too_large'; readonly bytesMax: number }
  | { readonly reason: 'unauthorized'; readonly detail: string }
  /** A page of another site, or a name that this machine does not go by. */
  | { readonly reason: 'forbidden_origin' }
  | { readonly reason: 'forbidden_host' }
  | { readonly reason: 'insufficient_scope'; readonly scope: string }
  | { readonly reason: 'route_not_found' }
  | { readonly reason: 'tool_not_found'; readonly tool: string; readonly known: readonly string[] }
  | { readonly reason: 'task_not_found' }
  | { readonly reason: 'session_not_found' }
  | { readonly reason: 'call_not_found' }
  | { readonly reason: 'webhook_not_found' }
  | { readonly reason: 'delivery_not_found' }
  /** Nothing is sent to it until its owner says that it is there again. */
  | { readonly reason: 'endpoint_disabled' }
  /** Webhooks go to public addresses only; the detail says what is wrong with this one. */
  | { readonly reason: 'url_refused'; readonly detail: string }
  | { readonly reason: 'session_busy' }
  | { readonly reason: 'token_expired' }
  | {
      readonly reason: 'result_schema_mismatch';
      readonly tool: string;
      readonly flaws: readonly Flaw[];
    }
  | { readonly reason: 'task_ended'; readonly status: EndedStatus }
  | { readonly reason: 'idempotency_conflict' }
  /** An answer to a question the task does not ask. */
  | { readonly reason: 'response_conflict'; readonly detail: string };
