import { readModelName, type Vendor } from '../core/model-name.ts';
import type { AwsAccess, VendorAccess } from './model-vendors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a server of one's own is told when no key is set: it asks for none, but the SDK wants one. */
const noKey = 'none';

const keyNames: Readonly<Partial<Record<Vendor, string>>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-chat': 'OPENAI_API_KEY',
};

/**
 * How a vendor is reached, or what is missing. MODEL_API_KEY belongs to MODEL_BASE_URL or, without one,
 * to the vendor of MODEL: a session that names another vendor must not carry the key there.
 */
export function accessTo(vendor: Vendor, env: Environment): VendorAccess | string {
  const given = env.MODEL_BASE_URL;
  if (given) {
    const baseUrl = baseUrlFor(vendor, given);
    if (baseUrl === undefined) return 'MODEL_BASE_URL must be an http or https address.';
    const key = env.MODEL_API_KEY || (vendor === 'bedrock' ? undefined : noKey);
    return { baseUrl, key, aws: awsAccess(env) };
  }
  if (vendor === 'openai-compatible') return `${vendor} needs MODEL_BASE_URL.`;
  const ownKey = isVendorOfModel(vendor, env) ? env.MODEL_API_KEY : undefined;
  return vendor === 'bedrock' ? bedrockAccess(env, ownKey) : keyAccess(vendor, env, ownKey);
}

function keyAccess(
  vendor: Exclude<Vendor, 'bedrock'>,
  env: Environment,
  ownKey: string | undefined,
): VendorAccess | string {
  const name = keyNames[vendor] ?? '';
  const key = ownKey || env[name];
  if (!key) return `${vendor} needs MODEL_API_KEY or ${name}.`;
  return { baseUrl: undefined, key, aws: awsAccess(env) };
}

function bedrockAccess(env: Environment, ownKey: string | undefined): VendorAccess | string {
  const key = ownKey || env.AWS_BEARER_TOKEN_BEDROCK || undefined;
  const isSigned = Boolean(env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY);
  if (!env.AWS_REGION || !(key || isSigned)) {
    return 'bedrock needs AWS_REGION, and AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY or MODEL_API_KEY.';
  }
  return { baseUrl: undefined, key, aws: awsAccess(env) };
}

const awsAccess = (env: Environment): AwsAccess => ({
  region: env.AWS_REGION || 'us-east-1',
  accessKeyId: env.AWS_ACCESS_KEY_ID || noKey,
  secretAccessKey: env.AWS_SECRET_ACCESS_KEY || noKey,
  sessionToken: env.AWS_SESSION_TOKEN || undefined,
});

function isVendorOfModel(vendor: Vendor, env: Environment): boolean {
  const named = readModelName(env.MODEL ?? '');
  if (named?.kind !== 'vendor') return false;
  const name = keyNames[vendor];
  return named.vendor === vendor || (name !== undefined && keyNames[named.vendor] === name);
}

/** A bare host means the usual place on it; the routes of Bedrock begin at the root. */
function baseUrlFor(vendor: Vendor, text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const plain = text.replace(/\/+$/, '');
  return pathname === '/' && vendor !== 'bedrock' ? `${plain}/v1` : plain;
}
