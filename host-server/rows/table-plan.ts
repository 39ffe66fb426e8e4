import { isExpected, type Registry } from '@trellis/core';
import type { ColumnSchema, LinkSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import {
  failedValidator,
  isFilled,
  type CellValue,
  type ColumnContext,
  type ParseResult,
  type Row,
} from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import type { PluginErrors } from '../runtime/tokens.ts';
import type { JsonCell, JsonCellKind } from '../sql/json-rows.ts';
import type { Binding } from '../sql/session.ts';
import { columnContext } from '../query/column-context.ts';
import type { CompileContext } from '../query/compile-context.ts';
import { computedDecoder, computedType, isReadable, linkedCells } from '../query/computed-columns.ts';
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
  /**
   * Runs the type's own code on what somebody sent. What it throws is charged to the plugin of the type.
   *
   * @throws TrellisError 500 `COLUMN_TYPE_FAILED`, which names the type.
   */
  contained<Answer>(this: void, run: () => Answer): Answer;
}

/** Everything about a table that does not change between two changes of its schema, prepared once. */
export interface TablePlan {
  readonly table: TableSchema;
  readonly columns: readonly ColumnCodec[];
  /** The same columns for the query compiler, which remembers the text of a list. */
  readonly stored: readonly ColumnSchema[];
  readonly byId: ReadonlyMap<string, ColumnCodec>;
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

  function contained<Answer>(run: () => Answer): Answer {
    try {
      return run();
    } catch (error) {
      if (isExpected(error)) throw error;
      errors.charge(types.subject(column.type), error);
      throw schemaErrors.create('COLUMN_TYPE_FAILED', { type: type?.label ?? column.type }, error);
    }
  }

  return {
    column,
    type,
    context: columnContext(column, type),
    contained,
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
    json: undefined,
    contained: (run) => run(),
    decode: result === undefined ? () => null : computedDecoder(context, result),
    encode() {
      throw rowErrors.create('COLUMN_COMPUTED', { column: column.title });
    },
  };
}

export function planTable(context: CompileContext, options: PlanOptions): TablePlan {
  const { table, dialect } = context;
  const stored = table.columns.filter((column) => column.columnName !== '');
  const columns = (table.rowOrder === undefined ? stored : [...stored, table.rowOrder]).map((column) =>
    columnCodec(column, options.types.get(column.type), { ...options, dialect }),
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
    readable,
    key,
    keyIndexes: key.map((codec) => columns.indexOf(codec)),
    autoIncrement: columns.find((codec) => codec.column.autoIncrement),
    rowOrder: columns.find(({ column }) => column === table.rowOrder),
    numbered: columns.find((codec) => codec.type?.numbersRows === true),
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

/** A plan that reads and writes further columns of the database as well. */
export function withColumns(
  plan: TablePlan,
  columns: readonly ColumnSchema[],
  options: PlanOptions & { readonly dialect: Dialect },
): TablePlan {
  const added = columns.map((column) => columnCodec(column, options.types.get(column.type), options));
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

/**
 * The most that is written to a cell. A page of larger ones would not fit into an answer, and whoever sorts or groups by them
 * takes memory from everybody. Larger cells that other programs wrote can be read.
 */
const mostCharacters = 1_000_000;

/** Values of one row, by column. */
export type Values = ReadonlyMap<ColumnCodec, CellValue>;

export interface ReadValuesOptions {
  /** Which columns the caller may write; absent where the values only name rows. */
  readonly writable?: 'all' | ReadonlySet<string>;
  /** The row's number in a bulk call, from 1, for messages. */
  readonly rowNumber?: number;
}

/**
 * Reads what a client sent for one row: keys are titles or column names, others are dropped; each value by its column type.
 *
 * @throws TrellisError 400 naming the column and the rule, 409 for a column whose type is switched off.
 */
export function readValues(
  plan: TablePlan,
  input: Readonly<Record<string, unknown>>,
  options: ReadValuesOptions,
): Values {
  const values = new Map<ColumnCodec, CellValue>();
  const { table } = plan;
  for (const key of Object.keys(input)) {
    const column = table.columnByTitle.get(key) ?? table.columnByName.get(key);
    const of = column && plan.byId.get(column.id);
    const given = input[key];
    if (of === undefined || column === undefined || given === undefined || column.generated) continue;
    if (options.writable !== undefined && !isWritable(of, options.writable)) continue;
    // The title wins where a client sends a value under both names.
    if (values.has(of) && key !== column.title) continue;
    values.set(of, readValue(of, given, options.rowNumber));
  }
  return values;
}

/** What the server sets itself is nobody's to write; clients send whole rows back. */
function isWritable({ column, type }: ColumnCodec, writable: 'all' | ReadonlySet<string>): boolean {
  if (type !== undefined && isFilled(type)) return false;
  return writable === 'all' || writable.has(column.id);
}

/** Written once: grouping digits takes longer than reading a value. */
const tooLong = `must have at most ${mostCharacters.toLocaleString('en')} characters`;

function readValue(of: ColumnCodec, given: unknown, rowNumber: number | undefined): CellValue {
  const { column, type, context } = of;
  if (type === undefined)
    throw rowErrors.create('COLUMN_TYPE_DISABLED', { column: column.title, type: column.type });
  const refuse = (problem: string) =>
    rowNumber === undefined
      ? rowErrors.create('VALUE_REFUSED', { column: column.title, problem })
      : rowErrors.create('VALUE_REFUSED_IN_ROW', { column: column.title, problem, row: rowNumber });
  if (typeof given === 'string' && given.length > mostCharacters) throw refuse(tooLong);
  const parsed = of.contained(() => checkedAnswer(type.parse(given, context)));
  if (!parsed.ok) throw refuse(parsed.message);
  const { value } = parsed;
  if (charactersOf(value) > mostCharacters) throw refuse(tooLong);
  if (value !== null) {
    const validator = of.contained(() => failedValidator(type, value, context));
    if (validator !== undefined) {
      const params = { column: column.title, validator };
      throw rowNumber === undefined
        ? rowErrors.create('VALUE_INVALID', params)
        : rowErrors.create('VALUE_INVALID_IN_ROW', { ...params, row: rowNumber });
    }
    const problem = of.contained(() => type.validate?.(value, context));
    if (problem !== undefined) throw refuse(problem);
  }
  try {
    of.encode(value);
  } catch (error) {
    throw refuse(error instanceof Error ? lowerFirst(error.message) : 'cannot be stored');
  }
  return value;
}

/** @throws TypeError for what is no answer of `parse`; a plugin in plain JavaScript may give anything. */
function checkedAnswer(answer: ParseResult<CellValue>): ParseResult<CellValue> {
  const { ok, value, message }: { ok?: unknown; value?: unknown; message?: unknown } = Object(answer);
  if (ok === true && value !== undefined) return answer;
  if (ok === false && typeof message === 'string') return answer;
  throw new TypeError(
    `'parse' gave ${JSON.stringify(answer)?.slice(0, 60)}; it answers { ok: true, value } or { ok: false, message }`,
  );
}

/** How many characters a value takes; numbers and the like are small and are not counted. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0;
}

function lowerFirst(text: string): string {
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');
}
