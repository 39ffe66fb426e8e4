import type { IncomingMessage } from 'node:http';

/** The client's address: that of the peer, or the one that the `hops`-th trusted proxy, counted from this server, saw. */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (hops === 0) return peer;
  const header = request.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  const claimed = seen.at(-hops);
  return claimed !== undefined && /^[0-9a-fA-F.:]{3,45}$/.test(claimed) ? claimed : peer;
}
