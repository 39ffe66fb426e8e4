import {
  AuditLogToken,
  auditText,
  FilesToken,
  SchemaStoreToken,
  type ScheduledOutcome,
  type ServerPluginContext,
  type TaskContext,
  type TaskKind,
} from '@trellis/sdk/server';
import { wordsOf } from '../schedule-errors.ts';
import { MatchedIds } from './matched-ids.ts';
import { openArchive } from './open-archive.ts';
import { planLinks } from './planned-links.ts';
import { restoreRows, type RowsPlace } from './restore-rows.ts';
import type { Restore, RestoreStore } from './restore-store.ts';
import { restoreTables } from './restore-tables.ts';
import { restoreViews } from './restore-views.ts';

/** The id of the tasks that create projects from backups. */
export const restoreKind = 'schedules.restore';

interface Payload {
  readonly restoreId: string;
}

const mostNotes = 100;

/** Creates a project from a backup. If it fails or is cancelled, the project is deleted. */
export function createRestoreKind(
  ctx: ServerPluginContext,
  restores: RestoreStore,
): TaskKind<Payload, RowsPlace> {
  async function restore(of: Restore, context: TaskContext<Payload, RowsPlace>): Promise<void> {
    const { signal, checkpoint, keep, progress } = context;
    const notes: ScheduledOutcome[] = [...of.notes];
    const open = await openArchive(ctx.get(FilesToken), of.file, signal);
    try {
      const archive = open.contents;
      const total = archive.tables.reduce((sum, { rows }) => sum + rows.count, 0);
      const restoring = {
        archive,
        plan: planLinks(archive),
        ids: new MatchedIds(archive),
        scope: async () => {
          signal.throwIfAborted();
          return context.scope();
        },
        note(note: ScheduledOutcome) {
          // Checked first: a backup may have many thousand columns with a note.
          if (notes.length >= mostNotes) return;
          const isKnown = notes.some((of) => JSON.stringify(of) === JSON.stringify(note));
          if (!isKnown) notes.push(note);
        },
      };
      progress({ done: 0, total, note: 'Making the tables' });
      await restoreTables(ctx, restoring);
      await restoreViews(ctx, restoring);
      let done = 0;
      // Stored before the first rows are written: an interrupted run recognises them.
      let last: RowsPlace = checkpoint ?? { table: 0, rows: 0 };
      if (checkpoint === undefined) await keep(last);
      await restoreRows(ctx, {
        ...restoring,
        open,
        signal,
        from: checkpoint,
        async reached(place) {
          done += place.table === last.table ? Math.max(0, place.rows - last.rows) : place.rows;
          last = place;
          progress({ done: Math.min(done, total), total, note: 'Adding rows' });
          await keep(place);
        },
      });
      const { principal, projectId } = await context.scope();
      await ctx.get(AuditLogToken).record({
        type: 'PROJECT',
        subType: 'IMPORT_FROM_ZIP',
        principal,
        ...(projectId !== undefined && { projectId }),
        description: auditText('The project was made of a backup of {{title}}', { title: of.about.title }),
      });
      await restores.change(of.id, 'running', { state: 'done', notes });
    } finally {
      open.close();
    }
  }

  return {
    id: restoreKind,
    permission: 'tableCreate',
    isLong: true,
    async run(context) {
      const { restoreId } = context.payload;
      try {
        const { projectId = '' } = await context.scope();
        if (!(await restores.begin(restoreId, { projectId, taskId: context.taskId }))) return null;
        const of = await restores.byId(restoreId);
        if (of?.state === 'running') await restore(of, context);
      } catch (error) {
        if (!context.signal.aborted) await restores.change(restoreId, 'running', { message: wordsOf(error) });
        throw error;
      }
      return null;
    },
    async cleanUp({ payload, scope, taskId }) {
      const of = await restores.byId(payload.restoreId);
      if (of?.state !== 'running' || of.taskId !== taskId) return;
      await ctx.get(SchemaStoreToken).deleteProject(await scope());
      await restores.change(of.id, 'running', { state: of.message === undefined ? 'cancelled' : 'failed' });
    },
  };
}
