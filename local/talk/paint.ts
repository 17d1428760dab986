import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'magenta';

export type Paint = (colour: Colour, text: string) => string;

/** Colours for a terminal whose owner has not switched them off; nothing of them for a file. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const isPlain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  if (isPlain) return (_colour, text) => text;
  return (colour, text) => styleText(colour, text, { validateStream: false });
}
