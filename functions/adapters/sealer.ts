import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Opened, Sealer } from '../ports.ts';

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** What is sealed: the value and its end, both hidden from whoever carries it. */
interface Sealed {
  readonly value?: unknown;
  readonly expiresAtMs: number;
}

/**
 * AES-256-GCM under a key of its own, derived from the server secret. The purpose is bound to the
 * value, so what was sealed for one use cannot be shown for another.
 */
export function secretSealer(serverSecret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'boomerang sealer', keyBytes));
  return {
    seal(purpose, value, expiresAtMs) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(cipherName, key, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(purpose));
      const sealed: Sealed = { value, expiresAtMs };
      const hidden = Buffer.concat([cipher.update(JSON.stringify(sealed)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url');
    },
    open(purpose, text, nowMs): Opened {
      const sealed = decrypt(key, purpose, text);
      if (!sealed) return { kind: 'forged' };
      const kind = nowMs < sealed.expiresAtMs ? 'opened' : 'expired';
      return { kind, value: sealed.value };
    },
  };
}

function decrypt(key: Buffer, purpose: string, text: string): Sealed | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding forgives what is not base64url; only the very text that was given out is ours.
  if (bytes.toString('base64url') !== text || bytes.length <= ivBytes + tagBytes) return undefined;
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv(cipherName, key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const shown = decipher.update(bytes.subarray(ivBytes + tagBytes));
  try {
    return JSON.parse(Buffer.concat([shown, decipher.final()]).toString('utf8')) as Sealed;
  } catch {
    // The tag does not fit: forged, damaged, or sealed for something else.
    return undefined;
  }
}
