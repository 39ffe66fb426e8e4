import { askUntil, type TestClient } from '@trellis/sdk/testing/server';
import type { RestoreEntity } from '../shared/index.ts';
import { keeperOf } from './scheduled-server.ts';

export const restoresPath = '/api/v1/plugins/schedules/restores';

/** A person's backups of projects, and their restores. */
export function backupsOf(client: TestClient) {
  const token = { 'xc-auth': client.token ?? '' };

  const read = async (id: string) => (await client.get<RestoreEntity>(`${restoresPath}/${id}`)).body;

  return {
    read,

    /** Backs up a project; also returns the path of the run that keeps the archive. */
    async backup(projectId: string): Promise<{ readonly path: string; readonly archive: Buffer }> {
      const keep = keeperOf(client, projectId);
      const schedule = await keep.make({
        title: 'Backup',
        action: 'schedules.backup',
        cron: '0 0 1 1 *',
        retries: 0,
      });
      await keep.runNow(schedule.id);
      const [run] = await keep.until(
        schedule.id,
        ([newest]) => newest !== undefined && newest.ended_at !== null,
      );
      if (run?.state !== 'done') throw new Error(JSON.stringify(run));
      const path = `${keep.path}/${schedule.id}/runs/${run.id}`;
      const file = await fetch(`${client.url}${path}/file`, { headers: token });
      return { path, archive: Buffer.from(await file.arrayBuffer()) };
    },

    /** Uploads an archive. */
    async send(archive: Uint8Array): Promise<{ status: number; body: RestoreEntity }> {
      const answer = await fetch(`${client.url}${restoresPath}`, {
        method: 'POST',
        headers: { ...token, 'content-type': 'application/octet-stream' },
        body: archive as BodyInit,
      });
      return { status: answer.status, body: (await answer.json()) as RestoreEntity };
    },

    begin: ({ id }: Pick<RestoreEntity, 'id'>, title: string) =>
      client.post<RestoreEntity>(`${restoresPath}/${id}/start`, { title }),

    /** The restore when it has ended. */
    ended: ({ id }: Pick<RestoreEntity, 'id'>): Promise<RestoreEntity> =>
      askUntil(
        () => read(id),
        ({ state }) => state !== 'running',
      ),
  };
}
