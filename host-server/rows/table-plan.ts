import { isExpected, type Registry } from '@trellis/core';
import type { ColumnSchema, LinkSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { CellValue, ColumnContext, Row } from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import type { PluginErrors } from '../runtime/tokens.ts';
import type { JsonCell, JsonCellKind } from '../sql/json-rows.ts';
import type { Binding } from '../sql/session.ts';
import { columnContext } from '../query/column-context.ts';
import type { CompileContext } from '../query/compile-context.ts';
import {
  computedDecoder,
  computedJson,
  computedType,
  isReadable,
  linkedCells,
} from '../query/computed-columns.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import { rowErrors } from './row-errors.ts';
import { ShownColumns } from './shown-columns.ts';

/** How the cells of one column are read and written. */
export interface ColumnCodec {
  readonly column: ColumnSchema;
  /** Undefined when the plugin of the column's type is off. */
  readonly type: ServerColumnType | undefined;
  readonly context: ColumnContext;
  /** From the driver's form to the wire. */
  decode(raw: unknown): CellValue;
  /** How the database itself writes the decoded cell as JSON; undefined where decoding takes code. */
  readonly json: JsonCellKind | undefined;
  /** From the wire to the driver's form; throws what the column cannot hold. */
  encode(value: CellValue): Binding;
  /** Where the column stands among those of its plan; -1 for a computed one. */
  readonly place: number;
  /**
   * What to throw in place of an error of the type's own code, which is charged to the plugin of the type: 500 `COLUMN_TYPE_FAILED`,
   * which names the type, unless the error is meant for the caller.
   */
  failure(this: void, error: unknown): unknown;
}

/** Everything about a table that does not change between two changes of its schema, prepared once. */
export interface TablePlan {
  readonly table: TableSchema;
  readonly columns: readonly ColumnCodec[];
  /** These columns in the form of the query compiler, which caches the SQL text of a list by its identity. */
  readonly stored: readonly ColumnSchema[];
  readonly byId: ReadonlyMap<string, ColumnCodec>;
  /** The columns by the names that a row may give them: their titles, and their names in the database where no title is the same. */
  readonly byName: ReadonlyMap<string, ColumnCodec>;
  /** `byId` with the computed columns, which can be read but not written. */
  readonly readable: ReadonlyMap<string, ColumnCodec>;
  readonly key: readonly ColumnCodec[];
  /** Where the cells of the key stand among `columns`. */
  readonly keyIndexes: readonly number[];
  readonly autoIncrement: ColumnCodec | undefined;
  /** The column in which the server numbers the rows. */
  readonly numbered: ColumnCodec | undefined;
  /** The hidden column by which people arranged the rows: one of `columns`, and of those that the change log has. */
  readonly rowOrder: ColumnCodec | undefined;
  /** The columns of each foreign key that has several. */
  readonly compositeKeys: readonly (readonly string[])[];
  /** The columns whose types say of each write what is kept. */
  readonly admitting: readonly ColumnCodec[];
  readonly shown: ShownColumns;
  /** The columns whose cells are made of linked rows, by id. */
  readonly linked: ReadonlyMap<string, LinkedColumn>;
}

/** A column whose cells are made of linked rows. */
export interface LinkedColumn {
  readonly column: ColumnSchema;
  readonly link: LinkSchema;
  /** The column of the linked table whose values make a cell; without it linked rows do. */
  readonly of: ColumnSchema | undefined;
}

function linkedColumn({ reach, table }: CompileContext, column: ColumnSchema): LinkedColumn | undefined {
  const cells = linkedCells(reach, column);
  const link = cells && table.links.find(({ id }) => id === cells.linkId);
  if (cells === undefined || link === undefined) return undefined;
  const of = cells.columnId === undefined ? undefined : reach.snapshot.column(cells.columnId);
  const isWhole = cells.columnId === undefined || of?.tableId === link.toTableId;
  return isWhole ? { column, link, of } : undefined;
}

/** What column types do with values, and who is told when one of them fails. */
export interface PlanOptions {
  readonly types: Registry<ServerColumnType>;
  readonly errors: PluginErrors;
}

function columnCodec(
  column: ColumnSchema,
  type: ServerColumnType | undefined,
  place: number,
  { dialect, types, errors }: PlanOptions & { readonly dialect: Dialect },
): ColumnCodec {
  const codec = dialect.types.codec(column.storage, column.nativeType);
  const { toStorage, fromStorage } = type?.server ?? {};
  const stored = (raw: unknown) => codec.fromDatabase(raw ?? null) as CellValue;

  /** A cell that its type cannot read is shown as it is stored: one bad cell must not hide the page of rows it is on. */
  function read(raw: unknown, convert: (value: CellValue) => CellValue): CellValue {
    const value = stored(raw);
    try {
      return convert(value);
    } catch (error) {
      errors.charge(types.subject(column.type), error);
      return value;
    }
  }

  function failure(error: unknown): unknown {
    if (isExpected(error)) return error;
    errors.charge(types.subject(column.type), error);
    return schemaErrors.create('COLUMN_TYPE_FAILED', { type: type?.label ?? column.type }, error);
  }

  return {
    column,
    type,
    context: columnContext(column, type),
    place,
    failure,
    decode: fromStorage ? (raw) => read(raw, fromStorage) : stored,
    json: fromStorage ? undefined : codec.json,
    encode: toStorage ? (value) => codec.toDatabase(toStorage(value)) : (value) => codec.toDatabase(value),
  };
}

/** A column that has no cells in the database; one that cannot be computed reads as empty. */
function computedCodec(context: CompileContext, column: ColumnSchema): ColumnCodec {
  const type = context.reach.columnTypes.get(column.type);
  const result = computedType(context, column);
  return {
    column,
    type,
    context: columnContext(column, type),
    json: result && computedJson(context, result),
    place: -1,
    failure: (error) => error,
    decode: result === undefined ? () => null : computedDecoder(context, result),
    encode() {
      throw rowErrors.create('COLUMN_COMPUTED', { column: column.title });
    },
  };
}

export function planTable(context: CompileContext, options: PlanOptions): TablePlan {
  const { table, dialect } = context;
  const stored = table.columns.filter((column) => column.columnName !== '');
  const columns = (table.rowOrder === undefined ? stored : [...stored, table.rowOrder]).map((column, place) =>
    columnCodec(column, options.types.get(column.type), place, { ...options, dialect }),
  );
  const byId = new Map(columns.map((codec) => [codec.column.id, codec]));
  const computed = table.columns.filter(
    (column) => column.columnName === '' && isReadable(context.reach, column),
  );
  const readable = new Map([
    ...byId,
    ...computed.map((column) => [column.id, computedCodec(context, column)] as const),
  ]);
  const key = table.primaryKey.flatMap((column) => byId.get(column.id) ?? []);
  return {
    table,
    columns,
    stored: columns.map(({ column }) => column),
    byId,
    byName: byNames(table, byId),
    readable,
    key,
    keyIndexes: key.map((codec) => columns.indexOf(codec)),
    autoIncrement: columns.find((codec) => codec.column.autoIncrement),
    rowOrder: columns.find(({ column }) => column === table.rowOrder),
    numbered: columns.find((codec) => codec.type?.numbersRows === true),
    compositeKeys: table.links.flatMap(({ kind, columnIds }) =>
      kind === 'belongsTo' && columnIds.length > 1 ? [columnIds] : [],
    ),
    admitting: columns.filter((codec) => codec.type?.server?.admit !== undefined),
    shown: new ShownColumns(),
    linked: new Map(
      computed.flatMap((column) => {
        const linked = linkedColumn(context, column);
        return linked === undefined ? [] : [[column.id, linked] as const];
      }),
    ),
  };
}

function byNames(
  { columnByTitle, columnByName }: TableSchema,
  byId: ReadonlyMap<string, ColumnCodec>,
): ReadonlyMap<string, ColumnCodec> {
  const names = new Map<string, ColumnCodec>();
  // A title stands before a name, also that of a column without cells.
  for (const [name, { id }] of [...columnByName]
    .filter(([of]) => !columnByTitle.has(of))
    .concat([...columnByTitle])) {
    const of = byId.get(id);
    if (of !== undefined) names.set(name, of);
  }
  return names;
}

/** A plan that reads and writes further columns of the database as well. */
export function withColumns(
  plan: TablePlan,
  columns: readonly ColumnSchema[],
  options: PlanOptions & { readonly dialect: Dialect },
): TablePlan {
  const added = columns.map((column, index) =>
    columnCodec(column, options.types.get(column.type), plan.columns.length + index, options),
  );
  return {
    ...plan,
    columns: [...plan.columns, ...added],
    stored: [...plan.stored, ...added.map(({ column }) => column)],
    byId: new Map([...plan.byId, ...added.map((of) => [of.column.id, of] as const)]),
  };
}

/** Turns rows of cells into rows by title. Titles are own properties, so none of them can be a method of objects. */
export function rowBuilder(columns: readonly ColumnCodec[]): (cells: readonly unknown[]) => Row {
  const titles = columns.map(({ column }) => column.title);
  const decoders = columns.map(({ decode }) => decode);
  const isHostile = titles.includes('__proto__');
  return (cells) => {
    const row = (isHostile ? Object.create(null) : {}) as Record<string, CellValue>;
    for (let index = 0; index < titles.length; index += 1) {
      // The arrays are of one length; the checks are for the compiler.
      row[titles[index] ?? ''] = decoders[index]?.(cells[index]) ?? null;
    }
    return row;
  };
}

/** How the database writes rows of these columns as JSON; undefined where one of them takes code to decode. */
export function jsonCellsOf(columns: readonly ColumnCodec[]): readonly JsonCell[] | undefined {
  const cells = columns.flatMap(({ column, json }) =>
    json === undefined ? [] : [{ key: column.title, as: json }],
  );
  return cells.length === columns.length ? cells : undefined;
}

/** Values of one row, by column. */
export type Values = ReadonlyMap<ColumnCodec, CellValue>;
