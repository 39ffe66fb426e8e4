import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { NotifierToken } from '@trellis/sdk/server';
import {
  createTestServer,
  createTestService,
  describePlugin,
  folderPlugin,
} from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

test('a notification is written into the chat, and a refusal is told', async () => {
  const written: unknown[] = [];
  const chat = await createTestService((request, response) => {
    void json(request).then((body) => {
      written.push(body);
      response.writeHead(request.url === '/gone' ? 410 : 200).end();
    });
  });
  const server = await createTestServer({
    plugins: [await folderPlugin(folder)],
    // The chat of this test stands at a private address.
    env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' },
  });
  try {
    const notifier = server.host.container.get(NotifierToken);
    const address = chat.url;
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
    await chat.dispose();
  }
});
