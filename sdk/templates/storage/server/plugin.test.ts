import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { FilesToken } from '@trellis/sdk/server';
import {
  createTestServer,
  createTestService,
  describePlugin,
  folderPlugin,
} from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

/** A file server, as small as one can be. */
async function answer(
  files: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '', method } = request;
  const body = await buffer(request);
  if (request.headers.authorization !== 'Bearer token') response.writeHead(403);
  else if (method === 'PUT') files.set(url, body);
  else if (!files.has(url)) response.writeHead(404);
  else if (method === 'GET') response.write(files.get(url));
  else files.delete(url);
  response.end();
}

test('a file is kept on the server, read from it and removed', async () => {
  const kept = new Map<string, Buffer>();
  const service = await createTestService((request, response) => void answer(kept, request, response));
  const server = await createTestServer({
    plugins: [await folderPlugin(folder)],
  });
  try {
    const admin = await server.signUp();
    const endpoint = `${service.url}/files/`;
    const save = (token: string) =>
      admin.put('/api/v1/app-store/plugins/my-plugin/settings', { input: { endpoint, token } });
    expect(await save('token')).toMatchObject({ status: 200 });
    const files = server.host.container.get(FilesToken);
    const facts = { name: 'hello.txt', type: 'text/plain' };
    const { ref } = await files.put(Buffer.from('Hello'), facts, { limit: 1000 });
    expect(ref).toMatch(/^my-plugin:/);
    expect([...kept.keys()]).toEqual([expect.stringMatching(/^\/files\/[a-z0-9-]+$/)]);
    expect(await text(await files.read(ref))).toBe('Hello');
    await files.remove(ref);
    expect(kept.size).toBe(0);
    await files.remove(ref);
    await expect(files.read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    await save('another');
    await expect(files.put(Buffer.from('Hello'), facts, { limit: 1000 })).rejects.toThrow(
      'The file server answered 403.',
    );
  } finally {
    await server.dispose();
    await service.dispose();
  }
});
