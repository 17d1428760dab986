import type { Offer } from '../core/offer.ts';
import type { Delivery, Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';

export type ResumeNeeds = Pick<
  Ports,
  | 'sessions'
  | 'tasks'
  | 'objects'
  | 'work'
  | 'resumes'
  | 'webhooks'
  | 'deliveries'
  | 'tools'
  | 'model'
  | 'clock'
  | 'signals'
  | 'live'
  | 'newTaskId'
  | 'newToken'
  | 'settings'
  | 'log'
>;

/** One resumer at work. */
export interface Resumer {
  /** Names it in the claims it takes. */
  readonly token: string;
  readonly delivery: Pick<Delivery, 'hide'>;
  /** Its function's end: before then it hands over. */
  readonly endsAtMs: number;
}

/** What it found when it looked. */
export interface Found {
  readonly look: SessionLook;
  readonly offer: Offer;
  readonly resumer: Resumer;
}

/** What comes after one thing was done: another look, nothing, or a ring at a later time. */
export type Step =
  | { readonly kind: 'again' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'later'; readonly atMs: number };

export const again: Step = { kind: 'again' };
