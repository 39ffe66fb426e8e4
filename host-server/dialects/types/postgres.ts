import type { StorageKind } from '@trellis/sdk/shared';
import {
  createTypeMap,
  lookUp,
  parseNativeType,
  type NativeTypeReading,
  type TypeOptions,
  type ValueCodec,
} from './default.ts';
import { valueError } from './value-errors.ts';
import { momentToIso, readDate, readDateTime, readTime } from './moments.ts';
import * as values from './values.ts';

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  smallint: [-(2n ** 15n), 2n ** 15n - 1n],
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
};

/**
 * By the names of `format_type`: `character varying`, not `varchar`. Arrays and types that are not listed are shown but cannot be
 * edited.
 */
const READINGS: readonly (readonly [RegExp, NativeTypeReading])[] = [
  [/^(smallint|integer)$/, { kind: 'integer', uidt: 'Number', editable: true }],
  [/^bigint$/, { kind: 'bigint', uidt: 'Number', editable: true }],
  [/^boolean$/, { kind: 'boolean', uidt: 'Checkbox', editable: true }],
  [/^(real|double precision)$/, { kind: 'float', uidt: 'Decimal', editable: true }],
  [/^numeric$/, { kind: 'decimal', uidt: 'Decimal', editable: true }],
  [/^(character varying|character|name)$/, { kind: 'string', uidt: 'SingleLineText', editable: true }],
  [/^uuid$/, { kind: 'string', uidt: 'SingleLineText', editable: true }],
  [/^citext$/, { kind: 'text', uidt: 'LongText', editable: true }],
  [/^text$/, { kind: 'text', uidt: 'LongText', editable: true }],
  [/^jsonb?$/, { kind: 'json', uidt: 'JSON', editable: true }],
  [/^date$/, { kind: 'date', uidt: 'Date', editable: true }],
  [/^timestamp/, { kind: 'datetime', uidt: 'DateTime', editable: true }],
  [/^time without time zone$/, { kind: 'time', uidt: 'Time', editable: true }],
  [/^bytea$/, { kind: 'binary', uidt: 'SpecificDBType', editable: false }],
  [/^(interval|\w+range)$/, { kind: 'text', uidt: 'SingleLineText', editable: false }],
];

export const postgresTypes = createTypeMap({
  nativeTypes: [
    'smallint',
    'integer',
    'bigint',
    'boolean',
    'numeric',
    'real',
    'double precision',
    'character varying',
    'character',
    'text',
    'date',
    'timestamp without time zone',
    'timestamp with time zone',
    'time without time zone',
    'json',
    'jsonb',
    'uuid',
    'bytea',
  ],
  aliases: new Map([
    ['int', 'integer'],
    ['int2', 'smallint'],
    ['int4', 'integer'],
    ['int8', 'bigint'],
    ['bool', 'boolean'],
    ['decimal', 'numeric'],
    ['float4', 'real'],
    ['float8', 'double precision'],
    ['double', 'double precision'],
    ['varchar', 'character varying'],
    ['char', 'character'],
    ['timestamp', 'timestamp without time zone'],
    ['timestamptz', 'timestamp with time zone'],
    ['time', 'time without time zone'],
  ]),
  sized: new Map([
    ['numeric', 2],
    ['character varying', 1],
    ['character', 1],
  ]),
  native: nativeFor,
  read(native) {
    const odd: NativeTypeReading = { kind: 'text', uidt: 'SpecificDBType', editable: false };
    return native.endsWith('[]') ? odd : (lookUp(parseNativeType(native).name, READINGS) ?? odd);
  },
  codec,
});

function nativeFor(kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions): string {
  switch (kind) {
    case 'decimal':
      return options.precision === undefined
        ? 'numeric'
        : `numeric(${options.precision},${options.scale ?? 0})`;
    case 'float':
      return 'double precision';
    case 'string':
      return options.length === undefined ? 'character varying' : `character varying(${options.length})`;
    case 'datetime':
      return 'timestamp without time zone';
    case 'time':
      return 'time without time zone';
    case 'binary':
      return 'bytea';
    default:
      return kind;
  }
}

function codec(kind: StorageKind, native: string): ValueCodec {
  const { name, arguments: sizes } = parseNativeType(native);
  const asIs = (raw: unknown) => raw;
  switch (kind) {
    case 'boolean':
      return { toDatabase: values.orNull(values.readBoolean), fromDatabase: asIs };
    case 'integer':
    case 'bigint': {
      const [least, most] = RANGES[name] ?? RANGES[kind] ?? [0n, 0n];
      return {
        toDatabase: values.orNull((value) => values.readInteger(value, least, most)),
        fromDatabase: asIs,
      };
    }
    case 'decimal':
      return { toDatabase: values.orNull((value) => decimal(value, sizes)), fromDatabase: asIs };
    case 'float':
      return { toDatabase: values.orNull(values.readFloat), fromDatabase: asIs };
    case 'date':
      return { toDatabase: values.orNull(readDate), fromDatabase: asIs };
    case 'time':
      return { toDatabase: values.orNull(readTime), fromDatabase: asIs };
    case 'datetime':
      return {
        toDatabase: values.orNull(
          (value) => `${readDateTime(value)}${name.includes('with time zone') ? '+00' : ''}`,
        ),
        fromDatabase: momentToIso,
      };
    case 'json':
      return { toDatabase: values.orNull(values.readJson), fromDatabase: parseJson };
    case 'binary':
      return { toDatabase: values.orNull(values.readBytes), fromDatabase: values.bytesToText };
    case 'string':
    case 'text':
      return {
        toDatabase: values.orNull((value) => values.checkLength(values.readText(value), sizes[0])),
        fromDatabase: asIs,
      };
    case 'virtual':
      throw valueError('VALUE_OF_VIRTUAL');
  }
}

/** Rounded and checked here, so that a number that does not fit gets the same error as on other databases. */
function decimal(value: unknown, [precision, scale = 0]: readonly number[]): string {
  const text = values.readDecimal(value);
  if (precision === undefined) return text;
  const rounded = values.roundDecimal(text, scale);
  values.checkPrecision(rounded, precision, scale);
  return rounded;
}

/**
 * Parsed JSON. It stays text if it contains a number whose digits a double would lose, or if it is a JSON string: a text in a
 * cell is read as JSON when it is sent back.
 */
function parseJson(raw: unknown): unknown {
  if (typeof raw !== 'string' || /^\s*"/.test(raw)) return raw;
  const numbers = raw.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every(isExactNumber) ? (JSON.parse(raw) as unknown) : raw;
}

function isExactNumber(literal: string): boolean {
  // Most numbers are short, and a double holds fifteen digits.
  if (/^-?[\d.]{1,15}$/.test(literal)) return true;
  if (/e[+-]?\d{3,}$/i.test(literal)) return false;
  const number = Number(literal);
  return Number.isFinite(number) && plainDigits(literal) === plainDigits(String(number));
}

function plainDigits(literal: string): string {
  return values
    .readDecimal(literal)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}
