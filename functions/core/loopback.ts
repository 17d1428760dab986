/** Whether an address names this very machine. A name in front of an @ is no part of it. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, username } = new URL(url);
  if (username !== '') return false;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
