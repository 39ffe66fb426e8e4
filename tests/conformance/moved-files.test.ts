import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { AccessServiceToken, FilesToken, TasksToken } from '@trellis/sdk/server';
import { TrellisError, type TaskEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { backupsOf } from '../../plugins/schedules/testing/backups.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A storage in memory. */
function shelfPlugin(files: Map<string, Buffer>) {
  return testPlugin(
    'shelf-storage',
    (ctx) =>
      void ctx.register('storageAdapters', {
        id: 'shelf',
        label: 'Shelf',
        isConfigured: () => true,
        put: async (key, content) => void files.set(key, await buffer(content)),
        get: async (key) => {
          const found = files.get(key);
          if (found === undefined) throw new TrellisError('FILE_UNKNOWN', 'gone', { status: 404 });
          return Readable.from([found]);
        },
        remove: async (key) => void files.delete(key),
      }),
    { contributes: { storageAdapters: [{ id: 'shelf' }] } },
  );
}

describeEachServer('files whose references are kept in another database', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());

  test('are counted, moved to another storage and moved back', async () => {
    const shelf = new Map<string, Buffer>();
    const server = await createTestServer({ database: databases, plugins: [shelfPlugin(shelf)] });
    try {
      const boss = await server.signUp('boss@example.com');
      const { container } = server.host;
      const scope = container.get(AccessServiceToken).systemScope(undefined, 'test');
      expect(container.get(FilesToken).places()).toMatchObject([{ id: 'shelf' }, { id: 'local' }]);
      await boss.put('/api/v1/storage/default', { place: 'local' });
      await boss.put('/api/v1/auth/user/picture', { picture: png.toString('base64') });
      const { body: project } = await boss.post<{ id: string }>('/api/v1/db/meta/projects', {
        title: 'Kept',
      });
      const { path, archive } = await backupsOf(boss).backup(project.id);
      const form = new FormData();
      for (let at = 0; at < 12; at += 1) form.append('files', new Blob([`file ${at}`]), `${at}.txt`);
      const uploaded = await fetch(`${server.url}/api/v1/db/storage/upload?path=anywhere`, {
        method: 'POST',
        headers: { 'xc-auth': boss.token ?? '' },
        body: form,
      });
      const addresses = ((await uploaded.json()) as { readonly url: string }[]).map(({ url }) => url);
      for (const [from, to, there] of [
        ['local', 'shelf', 14],
        ['shelf', 'local', 0],
      ] as const) {
        const { body } = await boss.post<TaskEntity>('/api/v1/storage/moves', { from, to });
        const { task } = await container.get(TasksToken).ended(scope, body.id);
        expect(task).toMatchObject({ state: 'done', progress: { done: 14, total: 14 } });
        expect(shelf.size).toBe(there);
        const { list } = (await boss.get<{ readonly list: readonly object[] }>('/api/v1/storage')).body;
        expect(list).toContainEqual(expect.objectContaining({ id: to, is_default: true, files: 14 }));
        const texts: string[] = [];
        for (const url of addresses) texts.push(await (await fetch(server.url + url)).text());
        expect(texts).toEqual(addresses.map((_url, at) => `file ${at}`));
        const backup = await fetch(`${server.url}${path}/file`, { headers: { 'xc-auth': boss.token ?? '' } });
        expect(Buffer.from(await backup.arrayBuffer()).equals(archive)).toBe(true);
      }
    } finally {
      await server.dispose();
    }
  });
});
