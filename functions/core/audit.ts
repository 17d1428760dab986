/** Parked ones wait for their task; what is dropped has waited long enough. */
export type ReportOutcome = 'applied' | 'ignored' | 'duplicate' | 'parked' | 'dropped';

/** One thing an owner may want to know later: who was told, who was given up on, who was refused. */
export type AuditEntry = { readonly atMs: number } & (
  | {
      readonly kind: 'told';
      readonly deliveryId: string;
      readonly endpointId: string;
      readonly type: string;
      readonly outcome: 'delivered' | 'exhausted';
      readonly attempts: number;
      readonly taskId?: string;
      readonly sessionId?: string;
    }
  | {
      readonly kind: 'endpoint';
      readonly endpointId: string;
      readonly state: 'paused' | 'disabled';
      readonly why: string;
    }
  /** Someone was refused: what was asked, and with which code. */
  | {
      readonly kind: 'refused';
      readonly what: string;
      readonly code: string;
      readonly taskId?: string;
      readonly sessionId?: string;
    }
  /** A client that listened over MCP was told of a task's end. */
  | { readonly kind: 'notified'; readonly taskId: string; readonly status: string }
  /** The real result of a task came after a timeout or a cancel; its end stays what it was. */
  | { readonly kind: 'late'; readonly taskId: string; readonly status: string }
  /** What became of a report of a CI system. */
  | {
      readonly kind: 'ci';
      readonly outcome: ReportOutcome;
      readonly provider: string;
      readonly deliveryId: string;
      readonly taskId?: string;
    }
);

/** Written twice, it is one row: the name derives from what it says. */
function auditNameOf(entry: AuditEntry): string {
  switch (entry.kind) {
    case 'told':
      return `told.${entry.deliveryId}`;
    case 'endpoint':
      return `endpoint.${entry.endpointId}.${entry.state}`;
    case 'refused':
      return `refused.${entry.what}.${entry.taskId ?? ''}`;
    case 'notified':
    case 'late':
      return `${entry.kind}.${entry.taskId}`;
    case 'ci':
      return `ci.${entry.outcome}.${entry.deliveryId}`;
  }
}

/** Rows sort by when they were, so a row's name is also the place where a list goes on. */
export const auditPlaceOf = (entry: AuditEntry): string =>
  `${String(entry.atMs).padStart(13, '0')}.${auditNameOf(entry)}`;

export const isAuditPlace = (text: string) => /^\d{13}\.[\w.:-]{1,400}$/.test(text);
