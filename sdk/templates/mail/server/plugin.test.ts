import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { MailerToken } from '@trellis/sdk/server';
import {
  createTestServer,
  createTestService,
  describePlugin,
  folderPlugin,
} from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

test('the settings are tried, and a message goes to the service with its key', async () => {
  const asked: unknown[] = [];
  const service = await createTestService((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    request.resume().on('end', () => response.end());
  });
  const server = await createTestServer({
    plugins: [await folderPlugin(folder)],
  });
  try {
    const admin = await server.signUp();
    const input = { endpoint: service.url, apiKey: 'key', from: 'us@example.com' };
    const saved = await admin.put('/api/v1/app-store/plugins/my-plugin/settings', { input });
    expect(saved).toMatchObject({ status: 200 });
    const tried = await admin.post('/api/v1/app-store/plugins/my-plugin/settings/test', { input });
    expect(tried).toMatchObject({ status: 200, body: { ok: true } });
    const message = { to: ['ada@example.com'], subject: 'Hello', text: 'Hello' };
    await server.host.container.get(MailerToken).send(message);
    expect(asked).toEqual([
      ['/verify', 'Bearer key'],
      ['/send', 'Bearer key'],
    ]);
  } finally {
    await server.dispose();
    await service.dispose();
  }
});
