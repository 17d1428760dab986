import { canonicalJson, digestOf } from '../core/digest.ts';
import type { Owner } from '../core/ids.ts';
import { nearBytesMax } from '../core/limits.ts';
import type { StoredValue } from '../core/stored-value.ts';
import { bytesOf } from '../core/text.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'objects'>;

/** Whose value it is decides how long it is kept: a task's goes with the task, a session's stays. */
type ValueHome = 'tasks' | 'sessions';

/**
 * Turn a value into what items and messages may carry. A far one is in the object store before this
 * returns, so nothing can ever name an object that is not there.
 */
export async function keepValue(
  ports: Needs,
  owner: Owner,
  value: unknown,
  home: ValueHome = 'tasks',
): Promise<StoredValue> {
  const json = JSON.stringify(value) ?? 'null';
  const digest = digestOfValue(json);
  const bytes = bytesOf(json);
  if (bytes <= nearBytesMax) return { at: 'near', digest, bytes, json };
  const key = `${home}/${owner}/${digest}`;
  await ports.objects.put(key, json);
  return { at: 'far', digest, bytes, key };
}

/** A far value is checked against its digest: an object store holds whatever was put there. */
export async function readValue(ports: Needs, stored: StoredValue): Promise<unknown> {
  if (stored.at === 'near') return JSON.parse(stored.json);
  const json = await ports.objects.get(stored.key);
  if (digestOfValue(json) !== stored.digest)
    throw new Error(`Object ${stored.key} is not what was put.`);
  return JSON.parse(json);
}

/** Of the value, not of its text: the order in which an object was written does not count. */
const digestOfValue = (json: string) => digestOf(canonicalJson(JSON.parse(json)));
