import type { Owner } from './ids.ts';
import type { DeliveryStart } from './webhook-delivery.ts';
import { messageVersion, readMessage, type ReadMessage } from './work-message.ts';

/** Asks for one attempt of one delivery. The first of them brings the delivery into being. */
export interface DeliveryMessage {
  readonly v: number;
  readonly kind: 'deliver';
  readonly owner: Owner;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly start?: DeliveryStart;
  /** How many attempts there were when it was sent: with more by now, a later message is on its way. */
  readonly attempt: number;
  /** A wait longer than one SQS delay is several hops to this time. */
  readonly notBeforeMs?: number;
  /** How often it found no slot. */
  readonly waits?: number;
  readonly redrives?: number;
}

export const firstMessage = (start: DeliveryStart): DeliveryMessage => ({
  ...laterMessage(start, 0),
  start,
});

export const laterMessage = (
  { owner, endpointId, deliveryId }: Pick<DeliveryStart, 'owner' | 'endpointId' | 'deliveryId'>,
  attempt: number,
): DeliveryMessage => ({
  v: messageVersion,
  kind: 'deliver',
  owner,
  endpointId,
  deliveryId,
  attempt,
});

export const readDeliveryMessage = (body: string): ReadMessage<DeliveryMessage> =>
  readMessage(body, isDeliveryMessage);

function isDeliveryMessage(value: object): value is DeliveryMessage {
  return (
    'kind' in value &&
    value.kind === 'deliver' &&
    'owner' in value &&
    'endpointId' in value &&
    'deliveryId' in value
  );
}
