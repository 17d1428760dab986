import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Said by the stack or the engines to their own functions, or by the platform: nobody sets them. */
const unset = /^(AWS_LAMBDA_\w+|AWS_SDK_JS_\w+|CI_SECRET_ARN|STREAMING|\w+_TABLE|\w+_QUEUE_URL)$/;

/** `env.NAME`, or the name beside an environment that is handed on. */
const read = /\benv\.([A-Z][A-Z0-9_]+)|\(env, '([A-Z][A-Z0-9_]+)'/g;

it('docs/settings.md names every setting that is read', () => {
  const names = [...sourcesIn('functions'), ...sourcesIn('local')].flatMap((text) =>
    [...text.matchAll(read)].map(([, own, handedOn]) => own ?? handedOn),
  );
  expect(names).toContain('CLAIM_S');
  const page = readFileSync('docs/settings.md', 'utf8');
  const missing = names.filter(
    (name = '') => !unset.test(name) && !new RegExp(`\\b${name}\\b`).test(page),
  );
  expect([...new Set(missing)]).toEqual([]);
});
