import { expect, test } from '@jest/globals';
import { bytesByPlugin, type HeapNode } from './bytes-by-plugin.ts';

const folders = ['file:///data/plugins/', 'file:///app/dist/server/plugins/'];
const call = (url: string, selfSize: number, ...children: readonly HeapNode[]): HeapNode => ({
  callFrame: { url },
  selfSize,
  children,
});

test('memory is its whose code asked for it, through the server as well', () => {
  const store = 'file:///app/dist/server/host.mjs';
  const head = call(
    '',
    5,
    call(
      store,
      7,
      call(
        'file:///data/plugins/acme-eats/1.0.0/dist/server/index.js?build=1',
        100,
        call(store, 20, call('file:///app/dist/server/plugins/webhooks.mjs', 3)),
      ),
      call('file:///app/dist/server/plugins/webhooks.mjs', 40),
    ),
  );
  expect([...bytesByPlugin(head, folders)]).toEqual([
    ['acme-eats', 123],
    ['webhooks', 40],
  ]);
});
