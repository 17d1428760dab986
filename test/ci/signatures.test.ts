import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCiSecrets } from '../../functions/adapters/ci-settings.ts';
import { ciProviders, type CiProvider } from '../../functions/core/ci/report.ts';
import { openCi } from './ci-door.ts';
import {
  payloads,
  secretEnv,
  sign,
  signatureHeader,
  standardHeaders,
  type Headers,
} from './webhooks.ts';

const planted = 'x'.repeat(32);
const bodyOf = (provider: CiProvider) => JSON.stringify(payloads[provider]({ planted }));
const providers = [...ciProviders];
const timed: readonly CiProvider[] = ['buildkite', 'gitlab', 'jenkins', 'generic'];
const standard: readonly CiProvider[] = ['gitlab', 'jenkins', 'generic'];

/** Refused, and nothing is left behind: no message, no binding, no mark. */
function expectRefusals(provider: CiProvider, access: Parameters<typeof openCi>[1] = {}) {
  const door = openCi({}, access);
  const writes: string[] = [];
  for (const name of ['bind', 'take', 'advance'] as const) {
    Object.assign(door.house.ports.ci, { [name]: async () => void writes.push(name) });
  }
  return async (body: string, headers: Headers) => {
    const answer = await door.post(`/callbacks/ci/${provider}`, body, headers);
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(door.house.ports.work.size).toBe(0);
    expect(writes).toEqual([]);
    return answer.text;
  };
}

const flip = (text: string, at: number, bit = 1) =>
  `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ bit)}${text.slice(at + 1)}`;

/** Every place of a short text, and some forty of a long one, its ends among them. */
const placesIn = (text: string) => {
  const step = Math.max(1, Math.floor(text.length / 40));
  const places = Array.from({ length: Math.ceil(text.length / step) }, (_, n) => n * step);
  return [...new Set([...places, text.length - 1])];
};

describe.each(providers)('a webhook of %s', (provider) => {
  const nowMs = Date.UTC(2026, 0, 1);
  const body = bodyOf(provider);
  const signed = sign(provider, body, nowMs);
  const name = signatureHeader[provider];
  const signature = signed[name] ?? '';

  it('is taken as its provider signs it, and sends one message', async () => {
    const { post, house } = openCi();
    const answer = await post(`/callbacks/ci/${provider}`, body, signed);
    expect(answer).toMatchObject({ status: 202, json: { outcome: 'accepted' } });
    expect(house.ports.work.size).toBe(1);
  });

  it('is refused for each byte of its signature that is another', async () => {
    const refused = expectRefusals(provider);
    const first = await refused(body, {});
    for (let at = 0; at < signature.length; at += 1) {
      for (const bit of [1, 32]) {
        expect(await refused(body, { ...signed, [name]: flip(signature, at, bit) })).toBe(first);
      }
    }
  });

  it('is refused for each byte of its body that is another, and for one cut or longer', async () => {
    const refused = expectRefusals(provider);
    for (const at of placesIn(body)) await refused(flip(body, at), signed);
    await refused(body.slice(0, -1), signed);
    await refused(`${body} `, signed);
    await refused('', signed);
  });

  it('is refused with a signature that is cut, of another kind, or missing', async () => {
    const refused = expectRefusals(provider);
    for (const cut of [1, 2, 8, signature.length - 1, signature.length]) {
      await refused(body, { ...signed, [name]: signature.slice(0, -cut) });
    }
    const { [name]: _missing, ...rest } = signed;
    await refused(body, rest);
    await refused(body, {});
    const sha1 = createHmac('sha1', secretEnv.CI_SECRET_GITHUB).update(body).digest('hex');
    await refused(body, { ...rest, 'x-hub-signature': `sha1=${sha1}`, [name]: `sha1=${sha1}` });
    await refused(body, { ...rest, [name]: signature.replace(/sha256|v1|signature/, 'none') });
    await refused(body, { ...rest, [name]: signature.toUpperCase() });
  });

  it('is refused when signed with another secret, or none is set', async () => {
    const upper = `CI_SECRET_${provider.toUpperCase()}`;
    const other = { ...secretEnv, [upper]: 'another secret altogether' };
    await expectRefusals(provider, { secrets: readCiSecrets(other) })(body, signed);
    for (const unset of ['', ' , ', undefined]) {
      const env = { ...secretEnv, [upper]: unset };
      await expectRefusals(provider, { secrets: readCiSecrets(env) })(body, signed);
    }
  });

  it('is taken with either secret while one replaces the other', async () => {
    const upper = `CI_SECRET_${provider.toUpperCase()}` as keyof typeof secretEnv;
    for (const both of [`new one,${secretEnv[upper]}`, `${secretEnv[upper]}, new one`]) {
      const access = { secrets: readCiSecrets({ ...secretEnv, [upper]: both }) };
      const answer = await openCi({}, access).post(`/callbacks/ci/${provider}`, body, signed);
      expect(answer.status).toBe(202);
    }
  });

  it('of another provider is refused', async () => {
    const refused = expectRefusals(provider);
    for (const other of providers.filter((one) => signatureHeader[one] !== name)) {
      await refused(body, sign(other, body, nowMs));
    }
  });
});

describe('a signed time', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  it.each(timed)('of %s may be five minutes off, and no more', async (provider) => {
    const body = bodyOf(provider);
    const refused = expectRefusals(provider);
    for (const off of [-301_000, 301_000]) await refused(body, sign(provider, body, nowMs + off));
    for (const off of [-299_000, 299_000]) {
      const answer = await openCi().post(
        `/callbacks/ci/${provider}`,
        body,
        sign(provider, body, nowMs + off),
      );
      expect(answer.status).toBe(202);
    }
  });

  it.each(standard)('and id of %s belong to the signature', async (provider) => {
    const body = bodyOf(provider);
    const refused = expectRefusals(provider);
    const signed = standardHeaders(body, nowMs);
    await refused(body, { ...signed, 'webhook-id': 'msg_2' });
    await refused(body, { ...signed, 'webhook-timestamp': String(nowMs / 1000 + 1) });
    for (const name of ['webhook-id', 'webhook-timestamp'] as const) {
      const { [name]: _missing, ...rest } = signed;
      await refused(body, rest);
      await refused(body, { ...rest, [name]: '' });
    }
    await refused(body, { ...signed, 'webhook-timestamp': `${nowMs / 1000}.0` });
  });
});

describe('a token that is only sent along', () => {
  const body = bodyOf('gitlab');
  const tokens = {
    CI_TOKEN_GITLAB: 'token one,token two',
    CI_TOKEN_BUILDKITE: 'bk',
    CI_TOKEN_JENKINS: 'jk',
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const cases: readonly [CiProvider, Headers][] = [
    ['gitlab', { 'x-gitlab-token': 'token one' }],
    ['gitlab', { 'x-gitlab-token': 'token two' }],
    ['buildkite', { 'x-buildkite-token': 'bk' }],
    ['jenkins', { authorization: basic('boomerang:jk') }],
  ];

  it.each(cases)('is taken from %s %o where nothing is signed', async (provider, headers) => {
    const door = openCi({}, { secrets: readCiSecrets(tokens) });
    expect((await door.post(`/callbacks/ci/${provider}`, bodyOf(provider), headers)).status).toBe(
      202,
    );
  });

  it.each(cases)(
    'is refused from %s %o once a signing secret is set',
    async (provider, headers) => {
      const access = { secrets: readCiSecrets({ ...secretEnv, ...tokens }) };
      await expectRefusals(provider, access)(bodyOf(provider), headers);
    },
  );

  it('is refused when it is another, a part, or empty', async () => {
    const refused = expectRefusals('gitlab', { secrets: readCiSecrets(tokens) });
    for (const token of ['token', 'token onf', 'token one,token two', '']) {
      await refused(body, { 'x-gitlab-token': token });
    }
    const none = expectRefusals('gitlab', { secrets: readCiSecrets({}) });
    await none(body, { 'x-gitlab-token': '' });
  });

  it('is not taken for providers that sign', async () => {
    const access = { secrets: readCiSecrets({ CI_TOKEN_GITHUB: 'x', CI_TOKEN_GENERIC: 'x' }) };
    for (const provider of ['github', 'generic'] as const) {
      const headers = { 'x-gitlab-token': 'x', authorization: basic('a:x'), 'x-hub-token': 'x' };
      await expectRefusals(provider, access)(body, headers);
    }
  });
});

describe('the door', () => {
  it('answers an unknown provider like a wrong signature, and says so in the log without a secret', async () => {
    const { post, said, app } = openCi();
    const unknown = await post('/callbacks/ci/nobody', '{}');
    const wrong = await post('/callbacks/ci/github', '{}', { 'x-hub-signature-256': 'sha256=00' });
    expect(unknown).toMatchObject({ status: 401, text: wrong.text });
    expect(said.filter((line) => line.includes('report refused'))).toHaveLength(2);
    for (const secret of Object.values(secretEnv)) expect(said.join('\n')).not.toContain(secret);
    expect((await app.request('/callbacks/ci/github')).status).toBe(404);
  });

  it('takes what is about no run, and sends nothing', async () => {
    const { post, house } = openCi();
    for (const event of [{ zen: 'Keep it simple.' }, { repository: { full_name: 'a/b' } }]) {
      const body = JSON.stringify(event);
      const answer = await post('/callbacks/ci/github', body, sign('github', body, 0));
      expect(answer).toMatchObject({ status: 202, json: { outcome: 'accepted' } });
    }
    expect(house.ports.work.size).toBe(0);
  });

  it('refuses a signed body that is no JSON, too large, or says nothing in our own form', async () => {
    const { post, house } = openCi();
    const ask = (body: string) =>
      post('/callbacks/ci/generic', body, sign('generic', body, house.clock.nowMs()));
    expect(await ask('{')).toMatchObject({ status: 400, json: { code: 'invalid_json' } });
    expect(await ask('{"status":"perhaps"}')).toMatchObject({
      status: 400,
      json: { code: 'invalid_request' },
    });
    expect(await ask('{"status":"completed"}')).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'boomerang_id' }] },
    });
    expect((await ask(JSON.stringify('x'.repeat(1_100_000)))).status).toBe(413);
    expect(house.ports.work.size).toBe(0);
  });
});
