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
