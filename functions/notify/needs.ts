import type { Ports } from '../ports.ts';

export type NotifyNeeds = Pick<
  Ports,
  | 'webhooks'
  | 'deliveries'
  | 'outbound'
  | 'audit'
  | 'tasks'
  | 'objects'
  | 'clock'
  | 'newToken'
  | 'newWebhookSecret'
  | 'settings'
  | 'log'
>;

/** What becomes of the message: deleted, or left in the queue to come again. */
export type Verdict = 'done' | 'keep';
