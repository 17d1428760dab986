interface ChatWith {
  readonly url: string;
  readonly needsKey: boolean;
  readonly sessionId?: string;
}

/** Where the chat looks unless it is told otherwise. */
const urlDefault = 'http://127.0.0.1:3000';

/** What to type for a talk with this server, or with one of its sessions. */
export function chatCommand({ url, needsKey, sessionId }: ChatWith): string {
  const options = [
    ...(url === urlDefault ? [] : [`--url ${url}`]),
    ...(needsKey ? ['--key <key>'] : []),
    ...(sessionId === undefined ? [] : [`--session ${sessionId}`]),
  ];
  return ['npm run chat', ...(options.length === 0 ? [] : ['--', ...options])].join(' ');
}
