import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { defineServerPlugin } from '../server/index.ts';
import { testManifest } from './test-manifest.ts';
import { createTestServer } from './test-server.ts';

test('a test server is given out with plugins that take longer to start than a server waits before it listens', async () => {
  const manifest = { ...testManifest('acme-late', 'Late'), enabledByDefault: true };
  const server = await createTestServer({
    plugins: [{ manifest, server: defineServerPlugin({ setup: () => setTimeout(1200) }) }],
  });
  const states = server.host.plugins.list().map(({ id, state }) => [id, state]);
  await server.dispose();
  expect(states).toContainEqual(['acme-late', 'enabled']);
  expect(states.map(([, state]) => state)).not.toContain('starting');
});
