import { afterEach, expect, jest, test } from '@jest/globals';
import type { Outbound } from '../outbound.ts';
import { testChat, type Chat } from './chat.ts';

const chat: Chat = { id: 'talk', label: 'Talk', longest: 100, toBody: (text) => ({ text }) };

afterEach(() => {
  jest.restoreAllMocks();
});

test('a test of a hundred channels that say nothing ends in time, tries a few at once, and tells what it knows by then', async () => {
  const end = new AbortController();
  const limits: number[] = [];
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    return end.signal;
  });
  const asked: string[] = [];
  const isAsked = new Promise<void>((resolve) => {
    const fetch: Outbound['fetch'] = async (url, { signal }) => {
      asked.push(url);
      if (url.endsWith('/0')) return { status: 200, headers: {}, body: new Uint8Array() } as never;
      if (url.endsWith('/1')) return { status: 404, headers: {}, body: new Uint8Array() } as never;
      if (asked.length === 6) resolve();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    outbound = { fetch } as Outbound;
  });
  const channels = Array.from({ length: 100 }, (_, at) => ({
    channel: `c${at}`,
    webhook_url: `https://talk.example/${at}`,
  }));
  const answer = testChat({ get: (() => outbound) as never, signal: new AbortController().signal }, chat, {
    channels,
  });
  await isAsked;
  end.abort(new Error('Time is up.'));
  const { ok, message } = await answer;
  expect(ok).toBe(false);
  expect(message).toMatch(/^c1: Talk does not know .* Talk has said nothing in time for c2, c3, .*, c99\.$/);
  // Two have answered, and four were asked when time was up.
  expect(asked).toHaveLength(6);
  expect(limits).toHaveLength(1);
  expect(limits[0]).toBeLessThan(30_000);
});

let outbound: Outbound;
