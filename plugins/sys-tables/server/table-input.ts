import type {
  ColumnInput,
  ColumnPatch,
  ColumnSchema,
  ServerColumnType,
  TableInput,
} from '@trellis/sdk/server';
import { defineErrors, withoutUndefined, type JsonSchema, type RegistryView } from '@trellis/sdk/shared';

const tableErrors = defineErrors({
  TABLE_NAME_MISSING: { status: 400, message: 'Missing table name `table_name` property in request body' },
  TABLE_COLUMNS_MISSING: { status: 400, message: 'Missing `columns` property in request body' },
  COLUMN_TYPE_MISSING: { status: 400, message: 'UI Datatype not found' },
  COLUMN_META_NOT_JSON: { status: 400, message: '`meta` of a column must be an object.' },
});

/** A column as sent by clients; further keys are ignored. */
export interface ColumnBody {
  readonly title?: string;
  readonly column_name?: string | null;
  readonly uidt?: string;
  readonly dt?: string | null;
  readonly dtxp?: string | number | null;
  readonly dtxs?: string | number | null;
  readonly pk?: Flag;
  readonly ai?: Flag;
  readonly au?: Flag;
  readonly rqd?: Flag;
  readonly un?: Flag;
  readonly unique?: Flag;
  readonly cdf?: string | number | boolean | null;
  readonly meta?: Readonly<Record<string, unknown>> | string | null;
  /** The options from which the client derived those of `meta`; an extension of the v1 API. */
  readonly meta_before?: Readonly<Record<string, unknown>> | null;
  readonly order?: number | null;
  /** The view from which it is added, which shows it although it hides others; an extension of the v1 API. */
  readonly view_id?: string | null;
  readonly description?: string | null;
  /** The options of its type, in the form for clients of the v1 API. */
  readonly colOptions?: unknown;
  /** Options that the type reads from the body itself: see `bodyKeys` of a column type. */
  readonly [key: string]: unknown;
}

type ColumnTypes = RegistryView<ServerColumnType>;

/** Databases return flags as numbers. */
type Flag = boolean | 0 | 1 | null;

export interface TableBody {
  readonly title?: string;
  readonly table_name?: string;
  readonly columns?: readonly ColumnBody[];
  readonly meta?: Readonly<Record<string, unknown>> | null;
}

const flag: JsonSchema = { enum: [true, false, 0, 1, null] };
const shortText: JsonSchema = { type: ['string', 'null'], maxLength: 500 };
const size: JsonSchema = { type: ['string', 'number', 'null'], maxLength: 2000 };
/** Long enough for the longest list of options, which clients send back unchanged. */
const sizeOrList: JsonSchema = { ...size, maxLength: 110_000 };

export const columnBodySchema: JsonSchema = {
  type: 'object',
  // Types read their own keys from it.
  additionalProperties: true,
  properties: {
    title: { type: 'string', maxLength: 500 },
    column_name: shortText,
    uidt: { type: 'string', maxLength: 100 },
    dt: { type: ['string', 'null'], maxLength: 100 },
    dtxp: sizeOrList,
    dtxs: size,
    pk: flag,
    ai: flag,
    au: flag,
    rqd: flag,
    un: flag,
    unique: flag,
    cdf: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
    meta: { type: ['object', 'string', 'null'], maxLength: 65_536 },
    meta_before: { type: ['object', 'null'] },
    order: { type: ['number', 'null'] },
    view_id: { type: ['string', 'null'], maxLength: 40 },
    description: { type: ['string', 'null'], maxLength: 2000 },
    colOptions: {},
  },
};

/** The body of a change, and the continuation of its trial. */
export interface TrialBody extends ColumnBody {
  readonly after?: string | null;
}

export const trialBodySchema: JsonSchema = {
  ...columnBodySchema,
  properties: { ...columnBodySchema.properties, after: { type: ['string', 'null'], maxLength: 500_000 } },
};

export const tableBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 500 },
    table_name: { type: 'string', maxLength: 500 },
    meta: { type: ['object', 'null'] },
    columns: { type: 'array', maxItems: 500, items: columnBodySchema },
  },
};

function flagOf(value: Flag | undefined): boolean | undefined {
  return value === undefined || value === null ? undefined : Boolean(value);
}

function textOf(value: string | number | boolean | null | undefined): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

function metaOf(meta: ColumnBody['meta']): Readonly<Record<string, unknown>> | undefined {
  if (meta === undefined || meta === null || meta === '') return undefined;
  if (typeof meta !== 'string') return meta;
  try {
    const parsed: unknown = JSON.parse(meta);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Reported below, together with JSON that is no object.
  }
  throw tableErrors.create('COLUMN_META_NOT_JSON');
}

/** The options of a column of this type, from either of the two keys of the body. */
function optionsOf(
  body: ColumnBody,
  type: ServerColumnType | undefined,
  former: ColumnSchema['meta'],
): Readonly<Record<string, unknown>> | undefined {
  const meta = metaOf(body.meta);
  const read = type?.server?.fromColOptions;
  const given = colOptionsOf(body, type?.server?.bodyKeys ?? []);
  if (read === undefined || given === undefined || given === null) return meta;
  return { ...meta, ...read(given, meta ?? {}, former) };
}

/** `colOptions` merged with the type's other keys, a list as `options`; unchanged if there are none. */
function colOptionsOf(body: ColumnBody, keys: readonly string[]): unknown {
  const beside = keys.flatMap((key) => (Object.hasOwn(body, key) ? [[key, body[key]] as const] : []));
  if (beside.length === 0) return body.colOptions;
  const own = Array.isArray(body.colOptions) ? { options: body.colOptions } : body.colOptions;
  return { ...(own as object | null | undefined), ...Object.fromEntries(beside) };
}

/** The length or the precision in a body. A quoted list is no size, also if the former type had options. */
function sizeOf({ dtxp }: ColumnBody): string | undefined {
  const size = textOf(dtxp);
  return size?.trimStart().startsWith("'") ? undefined : size;
}

/**
 * Parses the changes of a column from a body; keys that it lacks are absent.
 *
 * @param own the existing column: a body without a type keeps its type.
 */
export function readColumnPatch(body: ColumnBody, types: ColumnTypes, own?: ColumnSchema): ColumnPatch {
  const hasNoDefault = body.cdf === null || body.cdf === '';
  const patch = withoutUndefined({
    title: body.title,
    columnName: body.column_name ?? undefined,
    type: body.uidt,
    nativeType: textOf(body.dt),
    precision: sizeOf(body),
    scale: textOf(body.dtxs),
    primaryKey: flagOf(body.pk),
    autoIncrement: flagOf(body.ai),
    autoUpdate: flagOf(body.au),
    required: flagOf(body.rqd),
    unsigned: flagOf(body.un),
    unique: flagOf(body.unique),
    defaultValue: textOf(body.cdf),
    meta: optionsOf(body, types.get(body.uidt ?? own?.type ?? ''), own?.meta),
    metaBefore: body.meta_before ?? undefined,
    order: body.order ?? undefined,
    viewId: body.view_id ?? undefined,
    description: textOf(body.description?.trim()),
  });
  // An empty value removes a default or a description; an absent key leaves it unchanged.
  return {
    ...patch,
    ...(hasNoDefault && { defaultValue: undefined }),
    ...(body.description?.trim() === '' || body.description === null ? { description: undefined } : {}),
  };
}

/** Parses a new column from a body. */
export function readNewColumn(body: ColumnBody, types: ColumnTypes): ColumnInput {
  if (!body.uidt) throw tableErrors.create('COLUMN_TYPE_MISSING');
  return { ...readColumnPatch(body, types), type: body.uidt };
}

/** Parses a new table from a body. */
export function readNewTable(body: TableBody, types: ColumnTypes): TableInput {
  if (!body.table_name && !body.title) throw tableErrors.create('TABLE_NAME_MISSING');
  if (body.columns === undefined) throw tableErrors.create('TABLE_COLUMNS_MISSING');
  return {
    title: body.title ?? body.table_name,
    tableName: body.table_name,
    columns: body.columns.map((column) => readNewColumn(column, types)),
    meta: body.meta ?? undefined,
  };
}
