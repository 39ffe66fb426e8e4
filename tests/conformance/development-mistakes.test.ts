import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTestServer } from '@trellis/sdk/testing/server';

const path = '/api/v1/app-store/dev/mistakes';

test('What is wrong with plugins that people work on is kept until each is mended, over a restart too', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-mistakes-'));
  try {
    const first = await createTestServer({ dataDir });
    const ann = await first.signUp();
    const mood = { id: 'acme-mood', mistakes: 'web/index.tsx:2:10 is wrong' };
    const desk = { id: 'acme-desk', mistakes: 'server/index.ts:4:2 is wrong' };
    await ann.post(path, { ...mood, mistakes: 'web/index.tsx:1:1 is wrong' });
    await ann.post(path, mood);
    await ann.post(path, desk);
    expect(await ann.get(path)).toMatchObject({ status: 200, body: { list: [desk, mood] } });
    await first.dispose();

    const second = await createTestServer({ dataDir });
    const again = second.client.with({ token: ann.token ?? '' });
    expect((await again.get(path)).body).toEqual({ list: [desk, mood] });
    await again.post(path, { id: 'acme-mood' });
    expect((await again.get(path)).body).toEqual({ list: [desk] });
    await second.dispose();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
