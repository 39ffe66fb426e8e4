import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { OutboundToken, type ServerPluginContext } from '@trellis/sdk/server';
import { createPluginIndex } from './plugin-index.ts';
import type { StoreSettings } from './publishers.ts';

/** The plugin index over a server that answers with a text. */
function indexOf(text: string) {
  const address = 'https://plugins.test/index.json';
  const answer = { status: 200, body: Buffer.from(text), url: address };
  const context = {
    settings: { current: { index: address } },
    get: (token: unknown) =>
      token === OutboundToken ? { fetch: () => Promise.resolve(answer) } : { version: '1.0.0' },
  };
  return createPluginIndex(context as unknown as ServerPluginContext<StoreSettings>);
}

const range = Array.from({ length: 12 }, (_, at) => `^${at}.1.2`).join('||');
const versions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `p${at}`,
    version: `1.0.${at}`,
    sha256: 'f00d',
    url: 'p.tgz',
    trellis: `${at}||${range}`,
  }));

test('Others are served while a long index is read', async () => {
  const index = indexOf(JSON.stringify({ plugins: versions(3000) }));
  let isDone = false;
  const reading = index.list([], new AbortController().signal).finally(() => (isDone = true));
  let served = 0;
  for (; !isDone; served += 1) await setImmediate();
  expect((await reading).passedOver).toBeGreaterThan(0);
  expect(served).toBeGreaterThan(20);
});

test('Nobody reads on in a long index for somebody who has gone', async () => {
  const gone = new AbortController();
  const reading = indexOf(JSON.stringify({ plugins: versions(3000) })).list([], gone.signal);
  const left = new Error('The reader has left.');
  gone.abort(left);
  await expect(reading).rejects.toBe(left);
});

test.each([
  [
    'lists more versions than anybody publishes',
    JSON.stringify({ plugins: Array(20_001).fill({}) }),
    'more than 20,000',
  ],
  ['consists of empty lists', `{"plugins":[${'[],'.repeat(1_700_000)}[]]}`, 'holds too much'],
  ['is no JSON', '{"plugins":[', 'no JSON'],
  ['has no list', '{"plugins":{}}', 'no list "plugins"'],
])('An index that %s is refused at once', async (_, text, says) => {
  const began = performance.now();
  const params = expect.objectContaining({ reason: expect.stringContaining(says) });
  const { signal } = new AbortController();
  await expect(indexOf(text).list([], signal)).rejects.toMatchObject({ params });
  expect(performance.now() - began).toBeLessThan(2000);
});
