import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

const endless = {
  id: 'endless',
  name: 'Endless',
  server: `import { writeSync } from 'node:fs';
    export default { setup() { writeSync(1, 'round and round'); for (;;); } };`,
};
const harmless = { id: 'harmless', name: 'Harmless', server: 'export default { setup() {} };' };

let server: BuiltServer | undefined;
let dataDir: string | undefined;

afterAll(async () => {
  await server?.end('SIGKILL');
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

test('a plugin that never lets go of the start is off after the process was killed, and the app store says why', async () => {
  dataDir = await shipToNewFolder([endless, harmless]);
  server = startBuiltServer(dataDir);
  await server.said(/round and round/);
  await server.end('SIGKILL');

  for (const round of ['first', 'second']) {
    server = startBuiltServer(dataDir);
    const client = new TestClient(await server.listening());
    const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
    const path = round === 'first' ? 'signup' : 'signin';
    const { body } = await client.post<{ token: string }>(`/api/v1/auth/user/${path}`, credentials);
    const answer = await client
      .with({ token: body.token })
      .get<{ list: { id: string }[] }>('/api/v1/app-store/plugins');
    const of = (id: string) => answer.body.list.find((plugin) => plugin.id === id);
    expect(of('endless')).toMatchObject({
      state: 'disabled',
      reason: expect.stringContaining('It was starting when the host stopped'),
    });
    expect(of('harmless')).toMatchObject({ state: 'enabled' });
    await server.end('SIGTERM');
  }
});
