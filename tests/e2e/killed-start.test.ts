import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

const endless = {
  id: 'endless',
  name: 'Endless',
  server: `import { writeSync } from 'node:fs';
    export default { setup() { writeSync(1, 'round and round'); for (;;); } };`,
};
const patient = {
  id: 'patient',
  name: 'Patient',
  server: `import { writeSync } from 'node:fs';
    export default { setup() { writeSync(1, 'waiting for ever'); return new Promise(() => {}); } };`,
};
const harmless = { id: 'harmless', name: 'Harmless', server: 'export default { setup() {} };' };

let server: BuiltServer | undefined;
let dataDir: string | undefined;

afterEach(async () => {
  await server?.end('SIGKILL');
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

/** The plugins as the super admin sees them, who is made on the first call. */
async function plugins(url: string): Promise<(id: string) => object | undefined> {
  const client = new TestClient(url);
  const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
  await client.post('/api/v1/auth/user/signup', credentials);
  const { body } = await client.post<{ token: string }>('/api/v1/auth/user/signin', credentials);
  const answer = await client
    .with({ token: body.token })
    .get<{ list: { id: string }[] }>('/api/v1/app-store/plugins');
  return (id) => answer.body.list.find((plugin) => plugin.id === id);
}

test('a plugin that never lets go of the start is off after the process was killed, and the app store says why', async () => {
  dataDir = await shipToNewFolder([endless, harmless]);
  server = startBuiltServer(dataDir);
  await server.said(/round and round/);
  await server.end('SIGKILL');

  for (let round = 0; round < 2; round += 1) {
    server = startBuiltServer(dataDir);
    const of = await plugins(await server.listening());
    expect(of('endless')).toMatchObject({
      state: 'disabled',
      reason: expect.stringContaining('It was starting when the host stopped'),
    });
    expect(of('harmless')).toMatchObject({ state: 'enabled' });
    await server.end('SIGTERM');
  }
});

test('a plugin that is being set up when the operator ends the server stays on', async () => {
  dataDir = await shipToNewFolder([patient]);
  for (let round = 0; round < 2; round += 1) {
    server = startBuiltServer(dataDir);
    await server.said(/waiting for ever/);
    expect(await server.end('SIGTERM')).toBe(0);
  }
  server = startBuiltServer(dataDir);
  expect((await plugins(await server.listening()))('patient')).toMatchObject({ state: 'starting' });
  expect(await server.end('SIGTERM')).toBe(0);
});
