import {
  type AccessScope,
  type ColumnDraft,
  type ColumnInput,
  type ColumnSchema,
  type ProjectSnapshot,
  type ServerColumnType,
  type TableSchema,
  auditText,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { models } from '../../metadata/models/models.ts';
import { reading, type CompileContext } from '../../query/compile-context.ts';
import { compileColumn } from '../../query/compile-expression.ts';
import {
  circleOf,
  columnOfValues,
  compiledForAll,
  computedFrom,
  computedType,
  hasOneValue,
  isTooLarge,
} from '../../query/computed-columns.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { indexColumns } from '../snapshot/schema-indexes.ts';
import { madeColumn } from './column-changes.ts';
import { checkOptions } from './column-options.ts';
import { describedBy, mergedInput } from './column-patch.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { virtualRow } from './virtual-row.ts';

type Meta = Readonly<Record<string, unknown>>;

/** The person's input with the title and place chosen for the column. */
interface Wanted {
  readonly input: ColumnInput;
  readonly title: string;
  readonly order: number;
}

/** Columns that exist only in the metadata: their cells are computed, or show rows of other tables. */
export function createVirtualColumns(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, functions, requireType, changeMetadata, placeInViews } = parts;
  const { baseOf, change, patchRow } = tools;

  /** The options to store, after checking that the column can be computed from them. */
  async function resolved(
    scope: AccessScope,
    { snapshot, table }: { readonly snapshot: ProjectSnapshot; readonly table: TableSchema },
    draft: ColumnSchema,
    of: { readonly former?: ColumnSchema; readonly isRestored?: boolean },
  ): Promise<Meta | undefined> {
    const { former, isRestored = false } = of;
    const type = columnTypes.get(draft.type);
    const { dialect } = await databases.of(baseOf(snapshot, table));
    const reach = { snapshot, columnTypes, functions };
    const kindOf = (column: ColumnSchema) => {
      const of = columnOfValues(reach, column);
      if (of === undefined || of.columnName !== '') return of?.storage;
      return computedType({ table: snapshot.tables.get(of.tableId) ?? table, dialect, reach }, of)?.kind;
    };
    const resolve = type?.server?.resolveOptions;
    const meta = resolve
      ? await resolve(draft.meta ?? {}, { scope, snapshot, table, column: former, isRestored, kindOf })
      : draft.meta;
    checkOptions(draft.title, meta, type);
    const made = { ...draft, meta };
    const circle = circleOf(snapshot, columnTypes, made);
    if (circle !== undefined) {
      const titles = circle.map((id) => (id === made.id ? made : snapshot.column(id))?.title ?? id);
      throw schemaErrors.create('COLUMN_CIRCLE', { column: made.title, path: titles.join(' → ') });
    }
    if (type?.server?.compute?.(made, snapshot) === undefined) return meta;
    const columns = [...table.columns.filter(({ id }) => id !== made.id), made];
    const context = { table: { ...table, ...indexColumns(columns) }, dialect, reach };
    compiledForAll(context, (on) => compileColumn(on, made));
    if (former !== undefined) assertLeaves(context, made);
    return meta;
  }

  /** Checks that columns of the table which are computed from this one, directly or not, do not become too large by its change. */
  function assertLeaves(context: CompileContext, made: ColumnSchema): void {
    const { snapshot } = context.reach;
    const found = new Set<ColumnSchema>();
    const collect = (id: string) => {
      for (const column of computedFrom(snapshot, columnTypes, id)) {
        if (column.tableId !== made.tableId || column.id === made.id || found.has(column)) continue;
        found.add(column);
        collect(column.id);
      }
    };
    collect(made.id);
    for (const column of found) {
      try {
        compiledForAll(context, (on) => compileColumn(on, column));
      } catch (error) {
        // Refusing this change would not repair a column that could not be computed before.
        if (!isTooLarge(error)) continue;
        throw schemaErrors.create('COLUMN_TOO_LARGE', { column: made.title, by: column.title }, error);
      }
    }
  }

  async function create(
    scope: AccessScope,
    place: { readonly snapshot: ProjectSnapshot; readonly table: TableSchema },
    type: ServerColumnType,
    { input, title, order }: Wanted,
  ): Promise<void> {
    const { table } = place;
    const row = virtualRow(type, {
      projectId: table.projectId,
      tableId: table.id,
      title,
      order,
      now: Date.now(),
      description: input.description,
      meta: input.meta,
    });
    const { ColumnModel, toColumn } = await models();
    const meta = await resolved(scope, place, toColumn(row), { isRestored: input.restored === true });
    await changeMetadata(
      table.projectId,
      async (unit) => {
        await ColumnModel.query(unit.knex).insert({ ...row, meta: meta ?? null });
        await placeInViews(unit, row, { viewId: input.viewId });
      },
      change(scope, table, {
        subType: 'CREATED',
        description: auditText('Column {{title}} was added to {{table}}', { title, table: table.title }),
        changes: madeColumn(row),
      }),
    );
  }

  async function update(
    scope: AccessScope,
    found: FoundColumn,
    patch: Partial<ColumnInput> & { readonly title: string },
  ): Promise<void> {
    const { column, table } = found;
    const { title } = patch;
    const draft = { ...column, title, meta: mergedInput(column, patch).meta };
    const meta =
      patch.meta === undefined ? column.meta : await resolved(scope, found, draft, { former: column });
    await patchRow(
      scope,
      found,
      {
        title,
        ...describedBy(patch),
        meta: meta ?? null,
        ...(patch.order !== undefined && { sort_order: patch.order }),
      },
      auditText('Column {{title}} of {{table}} was changed', { title: column.title, table: table.title }),
    );
  }

  /** Metadata rows that change when a column is deleted, since they are computed from it. */
  function changedWithout(
    snapshot: ProjectSnapshot,
    deleted: ColumnSchema,
  ): readonly { readonly id: string; readonly meta: Meta }[] {
    return computedFrom(snapshot, columnTypes, deleted.id).flatMap((column) => {
      if (column.id === deleted.id) return [];
      const meta = columnTypes.get(column.type)?.server?.optionsWithout?.(column, deleted);
      return meta === undefined ? [] : [{ id: column.id, meta }];
    });
  }

  /** The table with a column as it would be computed, without saving it. A new column's id is its name. */
  async function drafted(
    scope: AccessScope,
    { snapshot, table }: { readonly snapshot: ProjectSnapshot; readonly table: TableSchema },
    { columnId, type: id, meta }: ColumnDraft,
  ): Promise<{ readonly table: TableSchema; readonly column: ColumnSchema }> {
    const type = requireType(id);
    const former = columnId === undefined ? undefined : table.columnById.get(columnId);
    if (columnId !== undefined && former === undefined)
      throw schemaErrors.create('COLUMN_NOT_FOUND', { column: columnId });
    const { toColumn } = await models();
    const row = virtualRow(type, {
      projectId: table.projectId,
      tableId: table.id,
      title: former?.title ?? '',
      order: former?.order ?? 0,
      now: Date.now(),
    });
    const of = former ?? toColumn(row);
    assertKeepsType(of, type);
    if (of.storage !== 'virtual') throw schemaErrors.create('RETYPE_VIRTUAL', { from: of.type, to: id });
    const wanted = { ...of, meta: { ...of.meta, ...meta } };
    const found = { snapshot, table };
    const column = {
      ...wanted,
      meta: await resolved(scope, found, wanted, former === undefined ? {} : { former }),
      title: of.id,
    };
    const columns = [...table.columns.filter((other) => other.id !== column.id), column];
    return { column, table: { ...table, ...indexColumns(columns) } };
  }

  /** Columns of a table that are too large to be computed, so that their cells are empty. */
  async function tooLarge(
    snapshot: ProjectSnapshot,
    table: TableSchema,
  ): Promise<ReadonlyMap<string, TrellisError>> {
    const problems = new Map<string, TrellisError>();
    const computed = table.columns.filter(({ columnName }) => columnName === '');
    if (computed.length === 0) return problems;
    const { dialect } = await databases.of(baseOf(snapshot, table));
    const context = reading({ table, dialect, reach: { snapshot, columnTypes, functions } });
    for (const column of computed) {
      if (!hasOneValue(context.reach, column)) continue;
      try {
        compileColumn(context, column);
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        if (isTooLarge(error)) problems.set(column.id, error);
      }
    }
    return problems;
  }

  return { create, update, changedWithout, drafted, tooLarge };
}

/** A stored column cannot become a computed one, nor the other way round. */
export function assertKeepsType(column: ColumnSchema, type: ServerColumnType): void {
  if (type.id !== column.type)
    throw schemaErrors.create('RETYPE_VIRTUAL', { from: column.type, to: type.id });
}
