/** What a user wants, as far as the demo understands it. */
export type Wish =
  | CallWish
  /** Of the calls under way, those the words point at. */
  | { readonly kind: 'ask' | 'cancel'; readonly words: string }
  /** Something is missing, or cannot be done. */
  | { readonly kind: 'say'; readonly text: string };

interface CallWish {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: Arguments;
  /** Said beside the call. */
  readonly note?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

export const callFor = (tool: string, args: Arguments, note?: string): CallWish => ({
  kind: 'call',
  tool,
  arguments: args,
  ...(note === undefined ? {} : { note }),
});

export const say = (text: string): Wish => ({ kind: 'say', text });
