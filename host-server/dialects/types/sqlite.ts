import type { StorageKind } from '@trellis/sdk/shared';
import type { Binding } from '../../sql/session.ts';
import {
  createTypeMap,
  lookUp,
  parseNativeType,
  type NativeTypeReading,
  type TypeOptions,
  type ValueCodec,
} from './default.ts';
import { valueError } from './value-errors.ts';
import { readDate, readDateTime, readTime } from './moments.ts';
import * as values from './values.ts';

const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/**
 * SQLite converts numbers in a `decimal` column to doubles, so exact decimals are stored as text. The name contains `text`, which
 * gives the column text affinity, and shows the purpose to people who open the file.
 */
export const SQLITE_DECIMAL = 'decimal_text';

const READINGS: readonly (readonly [RegExp, NativeTypeReading])[] = [
  [/^decimal_text$/, { kind: 'decimal', uidt: 'Decimal', editable: true }],
  [/^bool/, { kind: 'boolean', uidt: 'Checkbox', editable: true }],
  [/^year$/, { kind: 'integer', uidt: 'Year', editable: true }],
  [/^(datetime|timestamp)/, { kind: 'datetime', uidt: 'DateTime', editable: true }],
  [/^date$/, { kind: 'date', uidt: 'Date', editable: true }],
  [/^big ?int|^int8$/, { kind: 'bigint', uidt: 'Number', editable: true }],
  [/int/, { kind: 'integer', uidt: 'Number', editable: true }],
  [/^(decimal|numeric)/, { kind: 'decimal', uidt: 'Decimal', editable: true }],
  [/^(real|double|float)/, { kind: 'float', uidt: 'Decimal', editable: true }],
  [/^json/, { kind: 'json', uidt: 'JSON', editable: true }],
  [/^text$|clob/, { kind: 'text', uidt: 'LongText', editable: true }],
  [/blob|^binary|^varbinary/, { kind: 'binary', uidt: 'LongText', editable: false }],
];

export const sqliteTypes = createTypeMap({
  nativeTypes: [
    'integer',
    'bigint',
    'int',
    'smallint',
    'tinyint',
    'boolean',
    SQLITE_DECIMAL,
    'double',
    'real',
    'float',
    'varchar',
    'character',
    'text',
    'date',
    'datetime',
    'timestamp',
    'time',
    'year',
    'blob',
  ],
  aliases: new Map([
    ['decimal', SQLITE_DECIMAL],
    ['numeric', SQLITE_DECIMAL],
    ['double precision', 'double'],
    ['bool', 'boolean'],
    ['character varying', 'varchar'],
    ['char', 'character'],
    ['json', 'text'],
  ]),
  sized: new Map([
    ['varchar', 1],
    ['character', 1],
    [SQLITE_DECIMAL, 2],
  ]),
  native: nativeFor,
  read(native) {
    const { name } = parseNativeType(native);
    if (name === 'time') return { kind: 'time', uidt: 'Time', editable: true };
    return lookUp(name, READINGS) ?? { kind: 'string', uidt: 'SingleLineText', editable: true };
  },
  codec,
});

function nativeFor(kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions): string {
  switch (kind) {
    case 'integer':
    case 'bigint':
      return 'integer';
    case 'decimal':
      return options.precision === undefined
        ? SQLITE_DECIMAL
        : `${SQLITE_DECIMAL}(${options.precision},${options.scale ?? 0})`;
    case 'float':
      return 'double';
    case 'string':
      return options.length === undefined ? 'varchar' : `varchar(${options.length})`;
    case 'json':
      return 'text';
    case 'binary':
      return 'blob';
    default:
      return kind;
  }
}

function codec(kind: StorageKind, native: string): ValueCodec {
  const { name, arguments: sizes } = parseNativeType(native);
  const asIs = (raw: unknown) => raw;
  switch (kind) {
    case 'boolean':
      return {
        toDatabase: values.orNull((value) => (values.readBoolean(value) ? 1 : 0)),
        fromDatabase: asIs,
        json: 'plain',
      };
    case 'integer':
    case 'bigint':
      return {
        toDatabase: values.orNull((value) => values.readInteger(value, ...INT64)),
        fromDatabase: values.integerToWire,
        json: 'integer',
      };
    case 'decimal':
      return name === SQLITE_DECIMAL
        ? exactDecimal(sizes)
        : { toDatabase: values.orNull(shortDecimal), fromDatabase: decimalText };
    case 'float':
      return { toDatabase: values.orNull(values.readFloat), fromDatabase: asIs, json: 'plain' };
    case 'date':
      return { toDatabase: values.orNull(readDate), fromDatabase: asIs, json: 'plain' };
    case 'time':
      return { toDatabase: values.orNull(readTime), fromDatabase: asIs, json: 'plain' };
    case 'datetime':
      return { toDatabase: values.orNull(readDateTime), fromDatabase: asIs, json: 'plain' };
    case 'json':
      return { toDatabase: values.orNull(values.readJson), fromDatabase: asIs, json: 'plain' };
    case 'binary':
      return {
        toDatabase: values.orNull(values.readBytes),
        fromDatabase: values.bytesToText,
        json: 'base64',
      };
    case 'string':
    case 'text':
      return {
        toDatabase: values.orNull((value) => values.checkLength(values.readText(value), sizes[0])),
        fromDatabase: values.bytesToText,
        json: 'base64',
      };
    case 'virtual':
      throw valueError('VALUE_OF_VIRTUAL');
  }
}

function exactDecimal(sizes: readonly number[]): ValueCodec {
  const [precision, scale = 0] = sizes;
  return {
    toDatabase: values.orNull((value) => {
      const text = values.readDecimal(value);
      if (precision === undefined) return text;
      const rounded = values.roundDecimal(text, scale);
      values.checkPrecision(rounded, precision, scale);
      return padScale(rounded, scale);
    }),
    fromDatabase: decimalText,
    // The column's affinity converts every number to text.
    json: 'plain',
  };
}

/** Pads as other databases do for a column with a scale: `1.5` in a (10,2) column is `1.50`. */
function padScale(text: string, scale: number): string {
  if (scale === 0) return text;
  const [whole = '0', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(scale, '0')}`;
}

function decimalText(raw: unknown): unknown {
  // An infinite number has no digits; other programs may have written one to their file.
  if (typeof raw === 'number' && !Number.isFinite(raw)) return String(raw);
  return typeof raw === 'number' || typeof raw === 'bigint' ? values.readDecimal(raw.toString()) : raw;
}

/**
 * For a `decimal` column of another program's file, which stores whole numbers of 64 bits exactly and other numbers as doubles: a
 * value that neither can hold is refused.
 */
function shortDecimal(value: unknown): Binding {
  const text = values.readDecimal(value);
  const whole = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (whole !== undefined && whole >= INT64[0] && whole <= INT64[1])
    return values.readInteger(whole, ...INT64);
  if (text.replace(/\D/g, '').replace(/^0+/, '').length > 15) {
    throw valueError('VALUE_DIGITS_KEPT', { most: 15 });
  }
  return Number(text);
}
