import {
  SchemaStoreToken,
  type AccessScope,
  type ColumnInput,
  type ColumnPatch,
  type ColumnSchema,
  type ProjectSnapshot,
  type ScheduledOutcome,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { Archive, ArchivedColumn, ArchivedTable } from '../backup/archive.ts';
import { Breaths } from '../backup/breaths.ts';
import { restoreErrors, restoreNotes, wordsOf } from '../schedule-errors.ts';
import type { MatchedIds } from './matched-ids.ts';
import type { LinkPlan, PlannedLink } from './planned-links.ts';

/** A running restore. What exists already by title was created by an interrupted run, and is not created again. */
export interface Restoring {
  readonly archive: Archive;
  readonly plan: LinkPlan;
  readonly ids: MatchedIds;
  /** The current rights of the person who restores; rejects once the restore is cancelled. */
  scope(): Promise<AccessScope>;
  note(note: ScheduledOutcome): void;
}

const wireKinds = { belongsTo: 'bt', hasMany: 'hm', manyToMany: 'mm' } as const;

/** Creates the tables of an archive with their columns and links. */
export async function restoreTables(ctx: ServerPluginContext, restoring: Restoring): Promise<void> {
  const { archive, plan, ids, scope, note } = restoring;
  const schema = ctx.get(SchemaStoreToken);
  const snapshot = async () => schema.snapshot(await scope());

  async function ensureTable(archived: ArchivedTable): Promise<void> {
    const there = async () => tableOf(await snapshot(), archived.title);
    const columns = archived.columns
      .filter(({ id, columnName }) => columnName !== '' && !plan.keys.has(id))
      .map((column) => inputOf(column, ids));
    const { title, tableName, meta } = archived;
    const made = await madeOnce(there, async () =>
      schema.createTable(await scope(), { title, tableName, columns, ...(meta && { meta }) }),
    );
    ids.table(archived, made);
  }

  async function ensureLink(planned: PlannedLink): Promise<void> {
    const { table, link, column, inverse, onDelete, onUpdate } = planned;
    const tableId = ids.get(table.id) ?? '';
    const toId = ids.get(link.toTableId) ?? '';
    const isThere = async () => ids.link(link, await snapshot(), column.title) || undefined;
    await madeOnce(isThere, async () => {
      const [parentId, childId] = link.kind === 'belongsTo' ? [toId, tableId] : [tableId, toId];
      const described = {
        parentId,
        childId,
        type: wireKinds[link.kind],
        virtual: link.isVirtual,
        ...(inverse && { inverseTitle: inverse.title }),
        ...(onDelete !== undefined && { onDelete }),
        ...(onUpdate !== undefined && { onUpdate }),
      };
      const { type, title, meta } = column;
      await schema.createColumn(await scope(), tableId, { type, title, meta: { ...meta, link: described } });
      return isThere();
    });
    const now = await snapshot();
    for (const id of [table.id, link.toTableId]) {
      const [archived, made] = [byId.get(id), now.tables.get(ids.get(id) ?? '')];
      if (archived !== undefined && made !== undefined) matchLinkColumns(archived, made);
    }
  }

  /** Columns at the ends of links have their archived titles. */
  function matchLinkColumns(archived: ArchivedTable, made: TableSchema): void {
    ids.table(
      {
        ...archived,
        columns: archived.columns.filter(({ linkId }) => linkId !== undefined),
        views: [],
      },
      made,
    );
  }

  /** Computed columns are created after the columns that they use. */
  async function ensureComputed(): Promise<void> {
    let waiting = archive.tables.flatMap((table) =>
      table.columns
        .filter(({ columnName, linkId }) => columnName === '' && linkId === undefined)
        .map((column) => ({
          table,
          column,
          problem: undefined as ScheduledOutcome | undefined,
        })),
    );
    const breaths = new Breaths();
    for (let before = Infinity; waiting.length < before;) {
      before = waiting.length;
      const left: typeof waiting = [];
      for (const of of waiting) {
        await breaths.take();
        const problem = ids.isWaiting(of.column.meta)
          ? wordsOf(restoreErrors.create('RESTORE_DAMAGED'))
          : await ensureColumn(of.table, of.column);
        if (problem !== undefined) left.push({ ...of, problem });
      }
      waiting = left;
    }
    for (const { table, column, problem } of waiting) {
      const isMade =
        !ids.isWaiting(column.meta) && (await ensureColumn(table, column, { restored: true })) === undefined;
      const about = { table: table.title, column: column.title, problem: problem?.msg ?? '' };
      note(wordsOf(restoreNotes.create(isMade ? 'RESTORE_CHANGED_COLUMN' : 'RESTORE_LEFT_COLUMN', about)));
    }
  }

  async function ensureColumn(
    archived: ArchivedTable,
    column: ArchivedColumn,
    more: Pick<ColumnInput, 'restored'> = {},
  ): Promise<ScheduledOutcome | undefined> {
    const tableId = ids.get(archived.id) ?? '';
    const there = async () => {
      const table = (await snapshot()).tables.get(tableId);
      return table?.columnByTitle.has(column.title) === true ? table : undefined;
    };
    try {
      const made = await madeOnce(there, async () =>
        schema.createColumn(await scope(), tableId, { ...inputOf(column, ids), ...more }),
      );
      ids.table({ ...archived, columns: [column], views: [] }, made);
      return undefined;
    } catch (error) {
      if (error instanceof TrellisError) return wordsOf(error);
      throw error;
    }
  }

  /** Sets what was not set when the columns were created: titles of keys, orders, options of the other ends. */
  async function finishTable(archived: ArchivedTable): Promise<void> {
    const tableId = ids.get(archived.id) ?? '';
    await freeTitles(archived);
    for (const archivedColumn of archived.columns) {
      const column = (await snapshot()).column(ids.get(archivedColumn.id) ?? '');
      if (column === undefined) continue;
      const { title, ...rest } = patchOf(archivedColumn, column, ids);
      // The column that shows a junction table is named after it.
      const patch = {
        ...rest,
        ...(title !== undefined && !isBetween.has(archivedColumn.id) && { title }),
      };
      if (Object.keys(patch).length > 0) await schema.updateColumn(await scope(), column.id, patch);
    }
    const shown = archived.columns.find(({ display }) => display);
    const table = (await snapshot()).tables.get(tableId);
    const display = ids.get(shown?.id ?? '');
    if (display !== undefined && table !== undefined && table.displayColumn?.id !== display)
      await schema.setDisplayColumn(await scope(), display);
    if (table !== undefined && table.title !== archived.title)
      await schema.updateTable(await scope(), tableId, {
        title: archived.title,
      });
    if (table !== undefined && table.order !== archived.order)
      await schema.reorderTable(await scope(), tableId, archived.order);
  }

  /** Foreign keys that links created may have each other's titles. */
  async function freeTitles(archived: ArchivedTable): Promise<void> {
    const table = (await snapshot()).tables.get(ids.get(archived.id) ?? '');
    for (const { id, title } of archived.columns) {
      if (isBetween.has(id)) continue;
      const holder = table?.columnByTitle.get(title);
      if (holder === undefined || holder.id === ids.get(id)) continue;
      await schema.updateColumn(await scope(), holder.id, { title: holder.id });
    }
  }

  const isBetween = new Set(plan.between.map(({ column }) => column.id));
  const byId = new Map(archive.tables.map((table) => [table.id, table]));
  for (const table of archive.tables) if (!plan.junctions.has(table.id)) await ensureTable(table);
  for (const link of plan.links) await ensureLink(link);
  const linked = await snapshot();
  for (const link of plan.between) ids.between(link, linked);
  for (const { table, column } of plan.left)
    note(
      wordsOf(
        restoreNotes.create('RESTORE_LEFT_LINK', {
          table: table.title,
          column: column.title,
        }),
      ),
    );
  await ensureComputed();
  // Columns that show junction tables are named after them.
  for (const table of archive.tables) if (!plan.junctions.has(table.id)) await finishTable(table);
}

/**
 * Finds or creates something. A killed server's unfinished work is completed by another task, so it may appear between the look-up
 * and the creation, which is then refused.
 */
async function madeOnce<Made>(
  find: () => Promise<Made | undefined>,
  make: () => Promise<Made>,
): Promise<Made> {
  const there = await find();
  if (there !== undefined) return there;
  try {
    return await make();
  } catch (error) {
    const come = error instanceof TrellisError ? await find() : undefined;
    if (come === undefined) throw error;
    return come;
  }
}

function tableOf(snapshot: ProjectSnapshot, title: string): TableSchema | undefined {
  return [...snapshot.tables.values()].find((table) => table.title === title);
}

function inputOf(column: ArchivedColumn, ids: MatchedIds): ColumnInput {
  const { title, columnName, type, nativeType, length, precision, scale, defaultValue, description } = column;
  const { primaryKey, autoIncrement, autoUpdate, required, unsigned, unique } = column;
  const meta = ids.inOptions(column.meta);
  return {
    title,
    type,
    primaryKey,
    autoIncrement,
    autoUpdate,
    required,
    unsigned,
    unique,
    ...(columnName !== '' && { columnName }),
    ...(nativeType !== undefined && { nativeType }),
    ...(length !== undefined && { length }),
    ...(precision !== undefined && { precision }),
    // A column without decimals has no archived scale; without one, it would get the default of two.
    ...((scale !== undefined || precision !== undefined) && { scale: scale ?? '0' }),
    // The type defines what the server sets by itself.
    ...(defaultValue !== undefined && !autoIncrement && { defaultValue }),
    ...(description !== undefined && { description }),
    ...(meta && { meta }),
  };
}

function patchOf(archived: ArchivedColumn, column: ColumnSchema, ids: MatchedIds): ColumnPatch {
  const meta = ids.inOptions(archived.meta);
  const hasOther = meta !== undefined && JSON.stringify(meta) !== JSON.stringify(column.meta);
  return {
    ...(archived.title !== column.title && { title: archived.title }),
    ...(archived.order !== column.order && { order: archived.order }),
    ...(archived.description !== undefined &&
      archived.description !== column.description && {
        description: archived.description,
      }),
    ...(hasOther && archived.linkId !== undefined && { meta }),
  };
}
