import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken, TasksToken } from '@trellis/sdk/server';
import { TrellisError, type TaskEntity } from '@trellis/sdk/shared';
import { testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { RestoreEntity, RunEntity } from '../../plugins/schedules/shared/index.ts';
import { backupsOf, restoresPath } from '../../plugins/schedules/testing/backups.ts';
import { keeperOf, startScheduledServer } from '../../plugins/schedules/testing/scheduled-server.ts';
import { ManualClock } from '../../plugins/schedules/testing/manual-clock.ts';

/** The storage that files are moved away from. What is to happen before a file is given is done once. */
const shelf = new Map<string, Buffer>();
let beforeGiven: (() => Promise<void>) | undefined;

const shelfPlugin = testPlugin(
  'shelf-storage',
  (ctx) =>
    void ctx.register('storageAdapters', {
      id: 'shelf',
      label: 'Shelf',
      isConfigured: () => true,
      put: async (key, content) => void shelf.set(key, await buffer(content)),
      get: async (key) => {
        const found = shelf.get(key);
        if (found === undefined) throw new TrellisError('FILE_UNKNOWN', 'gone', { status: 404 });
        const before = beforeGiven;
        beforeGiven = undefined;
        await before?.();
        return Readable.from([found]);
      },
      remove: async (key) => void shelf.delete(key),
    }),
  { contributes: { storageAdapters: [{ id: 'shelf' }] } },
);

const clock = new ManualClock('2026-03-02T06:00:30Z');
let server: TestServer;
let boss: TestClient;

beforeAll(async () => {
  ({ server } = await startScheduledServer({ plugins: [shelfPlugin], clock }));
  boss = await server.signUp('boss@example.com');
});
afterAll(() => server?.dispose());

/** A project with a row whose cell names files, which the shelf keeps. */
async function projectWithFiles(title: string, content = 'file'): Promise<string> {
  await boss.put('/api/v1/storage/default', { place: 'shelf' });
  const { body: project } = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title });
  const { body: table } = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Papers',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Files', uidt: 'Attachment' },
    ],
  });
  const form = new FormData();
  for (const name of ['one', 'two', 'three'])
    form.append('files', new Blob([`${content} ${name}`]), `${name}.txt`);
  const path = encodeURIComponent(`noco/${project.id}/${table.id}/Files`);
  const sent = await fetch(`${server.url}/api/v1/db/storage/upload?path=${path}`, {
    method: 'POST',
    headers: { 'xc-auth': boss.token ?? '' },
    body: form,
  });
  const answer = await boss.post(`/api/v1/db/data/noco/${project.id}/${table.id}`, {
    Files: await sent.json(),
  });
  expect(answer).toMatchObject({ status: 200 });
  return project.id;
}

async function movedTo(to: string): Promise<TaskEntity> {
  const { container } = server.host;
  const { body } = await boss.post<TaskEntity>('/api/v1/storage/moves', { from: 'shelf', to });
  const scope = container.get(AccessServiceToken).systemScope(undefined, 'test');
  return (await container.get(TasksToken).ended(scope, body.id)).task;
}

test('a backup has the files that are moved to another storage while it is written', async () => {
  const projectId = await projectWithFiles('Moved');
  let moved: TaskEntity | undefined;
  beforeGiven = async () => {
    moved = await movedTo('local');
  };
  const backups = backupsOf(boss);
  const { path, archive } = await backups.backup(projectId);
  expect(moved).toMatchObject({ state: 'done', progress: { done: 3, total: 3 } });
  expect((await boss.get<RunEntity>(path.replace(/\/[^/]+$/, ''))).body).toMatchObject({
    list: [{ message: { code: 'SCHEDULE_FILE_KEPT' } }],
  });
  expect((await backups.send(archive)).body).toMatchObject({ about: { files: 3 } });
});

test('a backup says how many files of cells it could not find', async () => {
  const projectId = await projectWithFiles('Lost');
  const gone = [...shelf].find(([, content]) => content.toString() === 'file two')?.[0] ?? '';
  shelf.delete(gone);
  const { path } = await backupsOf(boss).backup(projectId);
  expect((await boss.get<RunEntity>(path.replace(/\/[^/]+$/, ''))).body).toMatchObject({
    list: [{ message: { code: 'SCHEDULE_KEPT_WITHOUT', params: { count: 1 } } }],
  });
});

/** A schedule that keeps the backup of its last run alone. */
async function nightly(projectId: string) {
  const keep = keeperOf(boss, projectId);
  const settings = { keep: 1 };
  const { id } = await keep.make({
    title: 'Nightly',
    action: 'schedules.backup',
    cron: '0 0 1 1 *',
    retries: 0,
    settings,
  });
  return {
    async run(): Promise<string> {
      const { id: runId } = await keep.runNow(id);
      await keep.until(id, (list) => list.some((run) => run.id === runId && run.ended_at !== null));
      return `${keep.path}/${id}/runs/${runId}`;
    },
    remove: () => boss.delete(`${keep.path}/${id}`),
  };
}

test('the backup that somebody restores is there until then, also where its schedule drops it, and no longer', async () => {
  const projectId = await projectWithFiles('Dropped');
  const schedule = await nightly(projectId);
  const restore = async (path: string) => (await boss.post<RestoreEntity>(`${path}/restore`, undefined)).body;
  const kept = shelf.size;
  const replaced = await restore(await schedule.run());
  // The newest run is the one that was made last.
  clock.advanceTo('2026-03-02T06:01:30Z');
  const removed = await restore(await schedule.run());
  expect(shelf.size).toBe(kept + 2);
  await schedule.remove();
  expect(shelf.size).toBe(kept + 2);
  const backups = backupsOf(boss);
  for (const [of, title] of [
    [replaced, 'Replaced'],
    [removed, 'Removed'],
  ] as const) {
    await backups.begin(of, title);
    expect(await backups.ended(of)).toMatchObject({ state: 'done', notes: [] });
  }
  const files = shelf.size;
  expect((await boss.delete(`${restoresPath}/${replaced.id}`)).status).toBe(200);
  expect(shelf.size).toBe(files - 1);
  clock.advanceTo('2026-03-04T06:00:30Z');
  const sweep = server.host.registries.get('jobs').get('schedules.sweep-restores');
  await sweep?.run({ signal: new AbortController().signal, logger: {} as never });
  expect(shelf.size).toBe(files - 2);
});

test('a backup that a run keeps stays with the run when somebody decides not to restore it', async () => {
  const path = await (await nightly(await projectWithFiles('Stays'))).run();
  const { body } = await boss.post<RestoreEntity>(`${path}/restore`, undefined);
  expect((await boss.delete(`${restoresPath}/${body.id}`)).status).toBe(200);
  const file = await fetch(`${server.url}${path}/file`, { headers: { 'xc-auth': boss.token ?? '' } });
  expect(file.status).toBe(200);
});

test('a table whose title is cut for the name of its file comes back with its rows', async () => {
  const { body: project } = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Rare' });
  // Letters of two halves each, behind one of a single one.
  const title = `a${'\u{20000}'.repeat(45)}`;
  const { body: table } = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title,
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  expect((await boss.post(`/api/v1/db/data/noco/${project.id}/${table.id}`, { Name: 'one' })).status).toBe(
    200,
  );
  const backups = backupsOf(boss);
  const { body } = await backups.send((await backups.backup(project.id)).archive);
  await backups.begin(body, 'Rare again');
  const { state, project_id: id } = await backups.ended(body);
  expect(state).toBe('done');
  const { body: page } = await boss.get<{ list: readonly object[] }>(
    `/api/v1/db/data/noco/${id ?? ''}/${encodeURIComponent(title)}`,
  );
  expect(page.list).toMatchObject([{ Name: 'one' }]);
});

test('files that are larger than what may be sent by now come back from a backup', async () => {
  const saveLimit = (maximumMegabytes: number) =>
    server.host.plugins.saveSettings('column-attachment', { maximumMegabytes, keepDays: 30 });
  const projectId = await projectWithFiles('Large', 'x'.repeat(2 * 1024 * 1024));
  const backups = backupsOf(boss);
  const { archive } = await backups.backup(projectId);
  await saveLimit(1);
  const { body } = await backups.send(archive);
  await backups.begin(body, 'Large again');
  expect(await backups.ended(body)).toMatchObject({ state: 'done', notes: [] });
  await saveLimit(20);
});
