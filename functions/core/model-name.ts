/** Which model a deployment or a session means, as it is written: `vendor:id`. */

export const vendors = [
  'anthropic',
  'openai',
  'openai-chat',
  'bedrock',
  'openai-compatible',
] as const;
export type Vendor = (typeof vendors)[number];

type ModelName =
  | { readonly kind: 'demo' }
  | { readonly kind: 'script'; readonly file: string }
  | { readonly kind: 'vendor'; readonly vendor: Vendor; readonly id: string };

export const modelDefault = 'scripted';

/** Only the first colon divides: the ids of Bedrock and Ollama have colons of their own. */
export function readModelName(text: string): ModelName | undefined {
  if (text === modelDefault) return { kind: 'demo' };
  const cut = text.indexOf(':');
  const before = text.slice(0, cut);
  const after = text.slice(cut + 1).trim();
  if (cut < 1 || after === '') return undefined;
  if (before === modelDefault) return { kind: 'script', file: after };
  const vendor = vendors.find((one) => one === before);
  return vendor && { kind: 'vendor', vendor, id: after };
}

export const wrongModelName = (text: string) =>
  `A model is named scripted, scripted:<file.json>, ${vendors
    .map((vendor) => `${vendor}:<id>`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}, not "${text}".`;
