import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { NotifierToken } from '@trellis/sdk/server';
import { createTestServer, describePlugin } from '@trellis/sdk/testing/server';
import half from './index.ts';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

test('a notification is written into the chat, and a refusal is told', async () => {
  const written: unknown[] = [];
  const chat = createServer((request, response) => {
    void json(request).then((body) => {
      written.push(body);
      response.writeHead(request.url === '/gone' ? 410 : 200).end();
    });
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as object;
  const server = await createTestServer({
    plugins: [{ manifest: { ...manifest, enabledByDefault: true }, server: half }],
    // The chat of this test stands at a private address.
    env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' },
  });
  try {
    const notifier = server.host.container.get(NotifierToken);
    const address = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
    const notification = { title: 'Order 7', text: 'It was paid.', url: 'https://trellis.example/7' };
    await notifier.send('my-plugin', { address, sender: 'Trellis' }, notification);
    expect(written).toEqual([
      { text: '*Order 7*\nIt was paid.\nhttps://trellis.example/7', username: 'Trellis' },
    ]);
    await expect(notifier.send('my-plugin', { address: `${address}/gone` }, notification)).rejects.toThrow(
      'The chat answered 410.',
    );
    await expect(notifier.send('my-plugin', {}, notification)).rejects.toMatchObject({
      code: 'CHANNEL_SETTINGS',
    });
  } finally {
    await server.dispose();
    chat.close();
  }
});
