import type { RegistryView } from '@trellis/core';
import type { ColumnInput, ServerColumnType } from '@trellis/sdk/server';
import { isFilled, type ColumnContext, type StorageKind } from '@trellis/sdk/shared';
import type { Dialect } from '../../dialects/dialect.ts';
import { isNativeType } from '../../dialects/select-dialect.ts';
import type { ValueCodec } from '../../dialects/types/default.ts';
import { isValueError } from '../../dialects/types/value-errors.ts';
import type { ColumnSpec, DefaultValue } from '../../dialects/schema/schema-changer.ts';
import { problemParams } from '../../query/problem-params.ts';
import { newId } from '../../runtime/ids.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { schemaErrors } from '../schema-errors.ts';
import { checkOptions } from './column-options.ts';
import type { RequireType } from './required-type.ts';

/** A planned column: its parts for the database and for the metadata. */
export interface ColumnPlan {
  readonly spec: ColumnSpec;
  readonly row: ColumnRow;
}

export interface ColumnPlace {
  readonly projectId: string;
  readonly tableId: string;
  readonly title: string;
  readonly columnName: string;
  readonly order: number;
  readonly now: number;
}

export interface PlanDependencies {
  readonly requireType: RequireType;
  readonly dialect: Dialect;
}

/** The texts by which databases and clients say "now". */
export const nowWords =
  /^(?:current_timestamp(?:\(\))?|now\(\)|getdate\(\))(?: on update current_timestamp)?$/i;

/** The native type that a client names, if the dialect has it and the column type accepts it. */
function wantedNative(
  input: ColumnInput,
  title: string,
  type: ServerColumnType,
  dialect: Dialect,
): string | undefined {
  const ofStamp = type.stamp === undefined ? undefined : dialect.types.wholeSeconds;
  const own = type.server?.nativeType?.(dialect.name) ?? ofStamp;
  if (own !== undefined || input.nativeType === undefined) return own;
  const name = input.nativeType.trim().toLowerCase();
  if (!isNativeType(name)) throw schemaErrors.create('COLUMN_NATIVE_TYPE', { column: title });
  // A client may name a native type of another database; the usual type of the kind is taken then.
  if (!dialect.types.nativeTypes.includes(name)) return undefined;
  // A native type may refine the storage kind of the column type, and not replace it.
  return dialect.types.read(name).kind === type.storage ? name : undefined;
}

function size(text: string | undefined, title: string): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (!/^\d{1,9}$/.test(text.trim())) throw schemaErrors.create('COLUMN_SIZE', { column: title });
  return Number(text);
}

/** The scale of a decimal for which only a precision is stated. At least one digit stays before the point. */
function usualScale(precision: number | undefined): number | undefined {
  return precision === undefined || precision === 0 ? undefined : Math.max(0, Math.min(2, precision - 1));
}

/** Whether the server makes the key of this column on insert. The v1 API states this by `ag` in `meta`. */
function isGeneratedKey(input: ColumnInput): boolean {
  return input.meta?.ag !== undefined;
}

/** A default value without the quotes that databases and clients add. */
export function bareDefault(text: string): string {
  return /^'(.*)'$/s.exec(text)?.[1]?.replaceAll("''", "'") ?? text;
}

function defaultOf(
  input: ColumnInput,
  title: string,
  type: ServerColumnType,
  storage: StorageKind,
): DefaultValue | undefined {
  // The database sets the value, also for rows that other programs add and while the type's plugin is off.
  if (type.stamp !== undefined) return { kind: 'now' };
  if (type.author !== undefined) return undefined;
  const text = input.defaultValue;
  // A column that is renewed on every change starts with the time at which the row was made.
  if (text === undefined && input.autoUpdate === true) return { kind: 'now' };
  if (text === undefined || isFilled(type)) return undefined;
  if (storage === 'json' || storage === 'virtual' || storage === 'binary' || type.takesDefault === false)
    throw schemaErrors.create('COLUMN_WITHOUT_DEFAULT', { column: title });
  if ((storage === 'datetime' || storage === 'date' || storage === 'time') && nowWords.test(text.trim())) {
    return { kind: 'now' };
  }
  const context: ColumnContext = {
    id: '',
    title,
    required: false,
    storage,
    options: { ...type.options?.defaults, ...input.meta },
  };
  const parsed = type.parse(bareDefault(text), context);
  if (!parsed.ok) throw schemaErrors.create('COLUMN_DEFAULT', { ...problemParams(parsed), column: title });
  const { value } = parsed;
  if (value === null) return undefined;
  if (typeof value === 'object') throw schemaErrors.create('COLUMN_WITHOUT_DEFAULT', { column: title });
  return { kind: 'literal', value };
}

/** Refuses a default value that the database could not store, such as a number with too many digits. */
function checkDefault(title: string, value: unknown, codec: ValueCodec): void {
  try {
    codec.toDatabase(value);
  } catch (error) {
    if (!isValueError(error)) throw error;
    throw schemaErrors.create('COLUMN_DEFAULT', { ...problemParams(error), column: title });
  }
}

/** Refuses a second column that numbers the rows of a table. */
export function assertNumbersOnce(
  type: ServerColumnType | undefined,
  others: readonly { readonly title: string; readonly type: string }[],
  columnTypes: RegistryView<ServerColumnType>,
): void {
  if (type?.numbersRows !== true) return;
  const first = others.find((column) => columnTypes.get(column.type)?.numbersRows === true);
  if (first !== undefined) throw schemaErrors.create('ONE_ROW_NUMBER', { column: first.title });
}

/** Derives a new column from a client's input. @throws 400 naming the column and the setting. */
export function planColumn(
  input: ColumnInput,
  place: ColumnPlace,
  { requireType, dialect }: PlanDependencies,
): ColumnPlan {
  const { title } = place;
  const type = requireType(input.type);
  if (type.storage === 'virtual') throw schemaErrors.create('COLUMN_BEFORE_TABLE', { column: title });
  checkOptions(title, input.meta, type);
  const isId = type.id === 'ID';
  const generatedKey = isId && isGeneratedKey(input);
  const kind: StorageKind = generatedKey ? 'string' : type.storage;
  const native = generatedKey ? undefined : wantedNative(input, title, type, dialect);
  const isText = kind === 'string';
  const length = isText ? size(input.length ?? input.precision, title) : undefined;
  const precision = kind === 'decimal' ? size(input.precision, title) : undefined;
  const scale = kind === 'decimal' ? (size(input.scale, title) ?? usualScale(precision)) : undefined;
  const primaryKey = input.primaryKey ?? isId;
  const autoIncrement = !generatedKey && (input.autoIncrement ?? (isId && primaryKey));
  if (autoIncrement && (!primaryKey || (kind !== 'integer' && kind !== 'bigint'))) {
    throw schemaErrors.create('ONE_AUTO_INCREMENT');
  }
  const required = primaryKey || (!isFilled(type) && (input.required ?? false));
  const renewed = type.stamp ?? type.author;
  if (input.autoUpdate === true && kind !== 'datetime' && renewed === undefined)
    throw schemaErrors.create('COLUMN_AUTO_UPDATE', { column: title });
  const value = autoIncrement ? undefined : defaultOf(input, title, type, kind);
  const sizes = {
    native,
    length: length === 0 ? undefined : length,
    precision: precision === 0 ? undefined : precision,
    scale: precision === undefined || precision === 0 ? undefined : scale,
  };
  const nativeType = dialect.types.nativeFor(kind, sizes);
  if (value?.kind === 'literal') checkDefault(title, value.value, dialect.types.codec(kind, nativeType));
  return {
    spec: { name: place.columnName, kind, ...sizes, nullable: !required, default: value, autoIncrement },
    row: {
      id: newId('column'),
      project_id: place.projectId,
      table_id: place.tableId,
      title,
      column_name: place.columnName,
      uidt: type.id,
      storage: kind,
      native_type: nativeType,
      length: length === undefined ? null : String(length),
      precision: precision === undefined ? null : String(precision),
      scale: scale === undefined ? null : String(scale),
      fallback: type.fallback,
      primary_key: primaryKey,
      key_position: null,
      auto_increment: autoIncrement,
      auto_update:
        renewed === undefined
          ? (input.autoUpdate ?? (kind === 'datetime' && place.columnName === 'updated_at'))
          : renewed === 'changed',
      required,
      is_unsigned: input.unsigned ?? false,
      is_unique: input.unique ?? false,
      display: false,
      system: false,
      computed: false,
      default_value:
        value === undefined ? null : value.kind === 'now' ? 'CURRENT_TIMESTAMP' : String(value.value),
      description: input.description ?? null,
      meta: input.meta ?? null,
      link_id: null,
      sort_order: place.order,
      parked_at: null,
      created_at: place.now,
      updated_at: place.now,
    },
  };
}
