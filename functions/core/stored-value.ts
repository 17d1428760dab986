/**
 * A value that was written once: arguments, a result. A near one travels with its item or message; a
 * far one lies in the object store, written before whatever names it, and its digest stays here.
 */
export type StoredValue = NearValue | FarValue;

interface NearValue {
  readonly at: 'near';
  readonly digest: string;
  readonly bytes: number;
  readonly json: string;
}

interface FarValue {
  readonly at: 'far';
  readonly digest: string;
  readonly bytes: number;
  readonly key: string;
}

/** A value of a task: here when it is small enough to ride in the hot item, otherwise one more read away. */
export interface KeptValue {
  readonly digest: string;
  readonly value: StoredValue | undefined;
}
