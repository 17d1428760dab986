import type { ModelProfile } from '../core/model.ts';
import { profileFor } from '../core/profile.ts';
import type { LanguageModel } from './language-model.ts';
import type { Vendor } from '../core/model-name.ts';

/** Where a vendor is reached, and as whom. Undefined means the vendor's own address. */
export interface VendorAccess {
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly aws: AwsAccess;
}

export interface AwsAccess {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

type Load = (id: string, access: VendorAccess) => Promise<LanguageModel>;

/** Each package is half a megabyte: only the one that is asked for is loaded. */
const loads: Readonly<Record<Vendor, Load>> = {
  async anthropic(id, { baseUrl, key }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(defined({ baseURL: baseUrl, apiKey: key }))(id);
  },
  async openai(id, { baseUrl, key }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(defined({ baseURL: baseUrl, apiKey: key })).responses(id);
  },
  async 'openai-chat'(id, { baseUrl, key }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(defined({ baseURL: baseUrl, apiKey: key })).chat(id);
  },
  async bedrock(id, { baseUrl, key, aws }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return createAmazonBedrock(defined({ baseURL: baseUrl, apiKey: key, ...aws }))(id);
  },
  async 'openai-compatible'(id, { baseUrl = '', key }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const name = 'openai-compatible';
    return createOpenAICompatible({
      name,
      baseURL: baseUrl,
      includeUsage: true,
      ...defined({ apiKey: key }),
    })(id);
  },
};

export const loadVendor = (
  vendor: Vendor,
  id: string,
  access: VendorAccess,
): Promise<LanguageModel> => loads[vendor](id, access);

export const vendorProfile = (vendor: Vendor, id: string): ModelProfile =>
  profileFor(providerOf[vendor], id);

/** Vendors that speak the same wire are one provider to the rules. */
const providerOf = {
  anthropic: 'anthropic',
  openai: 'openai-responses',
  'openai-chat': 'openai-chat',
  bedrock: 'bedrock',
  'openai-compatible': 'openai-chat',
} as const;

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without the fields that are undefined: the SDK then looks for its own defaults. */
const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
