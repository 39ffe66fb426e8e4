import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { MailerToken } from '@trellis/sdk/server';
import { createTestServer, describePlugin } from '@trellis/sdk/testing/server';
import half from './index.ts';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

test('a message goes to the service with its key', async () => {
  const asked: unknown[] = [];
  const service = createServer((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as object;
  const server = await createTestServer({
    plugins: [{ manifest: { ...manifest, enabledByDefault: true }, server: half }],
  });
  try {
    const admin = await server.signUp();
    const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const input = { endpoint, apiKey: 'key' };
    const saved = await admin.put('/api/v1/app-store/plugins/my-plugin/settings', { input });
    expect(saved).toMatchObject({ status: 200 });
    const message = { to: ['ada@example.com'], subject: 'Hello', text: 'Hello' };
    await server.host.container.get(MailerToken).send(message);
    expect(asked).toEqual([['/send', 'Bearer key']]);
  } finally {
    await server.dispose();
    service.close();
  }
});
