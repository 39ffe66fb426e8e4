import type { StorageKind } from '@trellis/sdk/shared';
import {
  createTypeMap,
  lookUp,
  parseNativeType,
  type NativeTypeReading,
  type ParsedNativeType,
  type TypeOptions,
  type ValueCodec,
} from './default.ts';
import { valueError } from './value-errors.ts';
import { readDate, readDateTime, readTime } from './moments.ts';
import * as values from './values.ts';

const BITS: Readonly<Record<string, bigint>> = {
  tinyint: 8n,
  smallint: 16n,
  mediumint: 24n,
  int: 32n,
  integer: 32n,
  bigint: 64n,
};

/** MySQL has no decimal without a size; the largest one replaces it, and its padding zeros are cut again. */
const WIDEST_DECIMAL = 'decimal(65,30)';

const shapes = /^(?:geometry|point|linestring|polygon|multi\w+|geometrycollection)\b/i;

const READINGS: readonly (readonly [RegExp, NativeTypeReading])[] = [
  [/^(tinyint|smallint|mediumint|int|integer)$/, { kind: 'integer', uidt: 'Number', editable: true }],
  [/^(bigint|serial)$/, { kind: 'bigint', uidt: 'Number', editable: true }],
  [/^bool(ean)?$/, { kind: 'boolean', uidt: 'Checkbox', editable: true }],
  [/^(decimal|numeric|dec|fixed)$/, { kind: 'decimal', uidt: 'Decimal', editable: true }],
  [/^(float|double|real|double precision)$/, { kind: 'float', uidt: 'Decimal', editable: true }],
  [/^date$/, { kind: 'date', uidt: 'Date', editable: true }],
  [/^(datetime|timestamp)$/, { kind: 'datetime', uidt: 'DateTime', editable: true }],
  [/^time$/, { kind: 'time', uidt: 'Time', editable: true }],
  [/^year$/, { kind: 'integer', uidt: 'Year', editable: true }],
  [
    /^(char|varchar|nchar|nvarchar|uuid|inet6|inet4)$/,
    { kind: 'string', uidt: 'SingleLineText', editable: true },
  ],
  [/^binary$/, { kind: 'binary', uidt: 'SingleLineText', editable: false }],
  [/text$/, { kind: 'text', uidt: 'LongText', editable: true }],
  [/blob$|^varbinary$/, { kind: 'binary', uidt: 'LongText', editable: false }],
  [/^json$/, { kind: 'json', uidt: 'JSON', editable: true }],
  [shapes, { kind: 'binary', uidt: 'Geometry', editable: false }],
];

export const mysqlTypes = createTypeMap({
  // A row has 65,535 bytes, and a character has up to four.
  longestString: 16_383,
  nativeTypes: [
    'tinyint',
    'smallint',
    'mediumint',
    'int',
    'int unsigned',
    'bigint',
    'bigint unsigned',
    'decimal',
    'float',
    'double',
    'varchar',
    'char',
    'text',
    'mediumtext',
    'longtext',
    'date',
    'datetime',
    'timestamp',
    'time',
    'year',
    'json',
    'blob',
    'longblob',
  ],
  largeText: 'longtext',
  wholeSeconds: 'datetime',
  aliases: new Map([
    ['integer', 'int'],
    ['bool', 'tinyint'],
    ['boolean', 'tinyint'],
    ['numeric', 'decimal'],
    ['double precision', 'double'],
    ['real', 'double'],
  ]),
  sized: new Map([
    ['tinyint', 1],
    ['decimal', 2],
    ['varchar', 1],
    ['char', 1],
    ['datetime', 1],
    ['timestamp', 1],
    ['time', 1],
  ]),
  native: nativeFor,
  read,
  codec,
});

function nativeFor(kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions): string {
  switch (kind) {
    case 'boolean':
      return 'tinyint(1)';
    case 'integer':
      return 'int';
    case 'decimal':
      return options.precision === undefined
        ? WIDEST_DECIMAL
        : `decimal(${options.precision},${options.scale ?? 0})`;
    case 'float':
      return 'double';
    case 'string':
      return `varchar(${options.length ?? 255})`;
    case 'text':
      // `text` holds 64 KB less one byte; a cell of 64 KB must fit.
      return 'mediumtext';
    case 'datetime':
      return 'datetime(6)';
    case 'time':
      return 'time(6)';
    case 'binary':
      return 'longblob';
    default:
      return kind;
  }
}

function read(native: string): NativeTypeReading {
  const parsed = parseNativeType(native);
  if (parsed.name === 'tinyint' && parsed.arguments[0] === 1)
    return { kind: 'boolean', uidt: 'Checkbox', editable: true };
  if (parsed.name === 'bit')
    return bitsOf(parsed) === 1n
      ? { kind: 'boolean', uidt: 'Checkbox', editable: true }
      : { kind: 'bigint', uidt: 'Number', editable: true };
  const list = /^(enum|set)\((.*)\)/is.exec(native.trim());
  if (list !== null) {
    const choices = Array.from((list[2] ?? '').matchAll(/'((?:[^']|'')*)'/g), (match) =>
      (match[1] ?? '').replaceAll("''", "'"),
    );
    const uidt = list[1]?.toLowerCase() === 'set' ? 'MultiSelect' : 'SingleSelect';
    return { kind: 'string', uidt, editable: true, choices };
  }
  return lookUp(parsed.name, READINGS) ?? { kind: 'text', uidt: 'SpecificDBType', editable: false };
}

function codec(kind: StorageKind, native: string): ValueCodec {
  const parsed = parseNativeType(native);
  const asIs = (raw: unknown) => raw;
  switch (kind) {
    case 'boolean':
      return {
        toDatabase: values.orNull((value) => (values.readBoolean(value) ? 1 : 0)),
        fromDatabase: numberOfBits,
      };
    case 'integer':
    case 'bigint': {
      const [least, most] = range(kind, parsed);
      return {
        toDatabase: values.orNull((value) => values.readInteger(value, least, most)),
        fromDatabase: (raw) => values.integerToWire(numberOfBits(raw)),
      };
    }
    case 'decimal':
      return decimal(native, parsed);
    case 'float':
      return { toDatabase: values.orNull(values.readFloat), fromDatabase: asIs };
    case 'date':
      return { toDatabase: values.orNull(readDate), fromDatabase: asIs };
    case 'time':
      return { toDatabase: values.orNull(readTime), fromDatabase: dropZeroFraction };
    case 'datetime':
      return { toDatabase: values.orNull(readDateTime), fromDatabase: asIs };
    case 'json':
      return { toDatabase: values.orNull(values.readJson), fromDatabase: asIs };
    case 'binary':
      return isShape(native)
        ? { toDatabase: values.orNull(values.readText), fromDatabase: asIs }
        : { toDatabase: values.orNull(values.readBytes), fromDatabase: values.bytesToText };
    case 'string':
    case 'text': {
      const most = /char/.test(parsed.name) ? parsed.arguments[0] : undefined;
      return {
        toDatabase: values.orNull((value) => values.checkLength(values.readText(value), most)),
        fromDatabase: asIs,
      };
    }
    case 'virtual':
      throw valueError('VALUE_OF_VIRTUAL');
  }
}

/** Whether a native type is a number of bits, which drivers return as bytes. */
export function isBits(native: string): boolean {
  return /^bit\b/i.test(native);
}

/** Whether a native type is a shape, stored as bytes and shown as text: `POINT(1 2)`. */
export function isShape(native: string): boolean {
  return shapes.test(native);
}

/** Whether a native type has whole numbers beyond 64 bits with a sign. */
export function isBeyondSigned(native: string): boolean {
  const [, most] = range('bigint', parseNativeType(native));
  return most > 2n ** 63n - 1n;
}

/** A column's printed default in a form that can be written again: bits, printed as `b'101'`, become a number. */
export function printedDefault(native: string, printed: string): string {
  const bits = isBits(native) ? /^b'([01]+)'$/.exec(printed)?.[1] : undefined;
  return bits === undefined ? printed : String(BigInt(`0b${bits}`));
}

function bitsOf({ arguments: [bits = 1] }: ParsedNativeType): bigint {
  return BigInt(bits);
}

/** The number in a cell of bits, most significant byte first; other cells stay unchanged. */
function numberOfBits(raw: unknown): unknown {
  if (!(raw instanceof Uint8Array)) return raw;
  const number = raw.reduce((all, byte) => all * 256n + BigInt(byte), 0n);
  return Number.isSafeInteger(Number(number)) ? Number(number) : number;
}

function range(kind: 'integer' | 'bigint', parsed: ParsedNativeType): readonly [bigint, bigint] {
  const { name, unsigned } = parsed;
  if (name === 'year') return [1901n, 2155n];
  if (name === 'bit') return [0n, 2n ** bitsOf(parsed) - 1n];
  const bits = BITS[name] ?? (kind === 'bigint' ? 64n : 32n);
  return unsigned ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

function decimal(native: string, { arguments: sizes }: ParsedNativeType): ValueCodec {
  const [precision = 10, scale = 0] = sizes;
  const widest = native.trim().toLowerCase() === WIDEST_DECIMAL;
  return {
    toDatabase: values.orNull((value) => {
      const text = values.readDecimal(value);
      if (widest && (text.split('.')[1] ?? '').replace(/0+$/, '').length > scale) {
        throw valueError('VALUE_DIGITS_AFTER', { most: scale });
      }
      const rounded = values.roundDecimal(text, scale);
      values.checkPrecision(rounded, precision, scale);
      return rounded;
    }),
    fromDatabase: widest ? dropZeroFraction : (raw) => raw,
  };
}

function dropZeroFraction(raw: unknown): unknown {
  return typeof raw === 'string' ? raw.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : raw;
}
