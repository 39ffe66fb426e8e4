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

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  tinyint: [0n, 255n],
  smallint: [-(2n ** 15n), 2n ** 15n - 1n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** SQL Server has no decimal without a size; this type replaces it, and its padding zeros are cut again. */
const WIDEST_DECIMAL = 'decimal(38,15)';

/** The digits of money types, 19 or 10 in all, four of them after the point. */
const MONEY: Readonly<Record<string, readonly [number, number]>> = { money: [19, 4], smallmoney: [10, 4] };

const READINGS: readonly (readonly [RegExp, NativeTypeReading])[] = [
  [/^bit$/, { kind: 'boolean', uidt: 'Checkbox', editable: true }],
  [/^(tinyint|smallint|int)$/, { kind: 'integer', uidt: 'Number', editable: true }],
  [/^bigint$/, { kind: 'bigint', uidt: 'Number', editable: true }],
  [/^(decimal|numeric)$/, { kind: 'decimal', uidt: 'Decimal', editable: true }],
  [/^(small)?money$/, { kind: 'decimal', uidt: 'Currency', editable: true }],
  [/^(float|real)$/, { kind: 'float', uidt: 'Decimal', editable: true }],
  [/^date$/, { kind: 'date', uidt: 'Date', editable: true }],
  [/^(datetime|datetime2|smalldatetime)$/, { kind: 'datetime', uidt: 'DateTime', editable: true }],
  // Writing it would lose its offset.
  [/^datetimeoffset$/, { kind: 'datetime', uidt: 'DateTime', editable: false }],
  [/^time$/, { kind: 'time', uidt: 'Time', editable: true }],
  [
    /^(char|nchar|varchar|nvarchar|sysname|uniqueidentifier)$/,
    { kind: 'string', uidt: 'SingleLineText', editable: true },
  ],
  [/^n?text$/, { kind: 'text', uidt: 'LongText', editable: true }],
  [/^json$/, { kind: 'json', uidt: 'JSON', editable: true }],
  [/^(var)?binary$|^image$/, { kind: 'binary', uidt: 'SpecificDBType', editable: false }],
  [/^geometry$/, { kind: 'text', uidt: 'Geometry', editable: false }],
  [/^(timestamp|rowversion)$/, { kind: 'binary', uidt: 'SpecificDBType', editable: false }],
];

export const mssqlTypes = createTypeMap({
  longestString: 4000,
  nativeTypes: [
    'bit',
    'tinyint',
    'smallint',
    'int',
    'bigint',
    'decimal',
    'money',
    'smallmoney',
    'real',
    'float',
    'nvarchar',
    'nchar',
    'varchar',
    'char',
    'nvarchar(max)',
    'uniqueidentifier',
    'date',
    'datetime',
    'datetime2',
    'smalldatetime',
    'time',
    'varbinary(max)',
  ],
  aliases: new Map([
    ['boolean', 'bit'],
    ['bool', 'bit'],
    ['integer', 'int'],
    ['numeric', 'decimal'],
    ['double', 'float'],
    ['double precision', 'float'],
    ['text', 'nvarchar(max)'],
    ['ntext', 'nvarchar(max)'],
    ['json', 'nvarchar(max)'],
  ]),
  sized: new Map([
    ['decimal', 2],
    ['nvarchar', 1],
    ['nchar', 1],
    ['varchar', 1],
    ['char', 1],
    ['datetime2', 1],
    ['time', 1],
  ]),
  native: nativeFor,
  read,
  codec,
});

function nativeFor(kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions): string {
  switch (kind) {
    case 'boolean':
      return 'bit';
    case 'integer':
      return 'int';
    case 'bigint':
      return 'bigint';
    case 'decimal':
      return options.precision === undefined
        ? WIDEST_DECIMAL
        : `decimal(${Math.min(options.precision, 38)},${Math.min(options.scale ?? 0, 38)})`;
    case 'float':
      return 'float';
    case 'string':
      return `nvarchar(${options.length ?? 255})`;
    case 'text':
    case 'json':
      return 'nvarchar(max)';
    case 'date':
      return 'date';
    case 'datetime':
      return 'datetime2(6)';
    case 'time':
      return 'time(6)';
    case 'binary':
      return 'varbinary(max)';
  }
}

function read(native: string): NativeTypeReading {
  if (/^n?varchar\(max\)$/i.test(native.trim())) return { kind: 'text', uidt: 'LongText', editable: true };
  return (
    lookUp(parseNativeType(native).name, READINGS) ?? {
      kind: 'text',
      uidt: 'SpecificDBType',
      editable: false,
    }
  );
}

function codec(kind: StorageKind, native: string): ValueCodec {
  const parsed = parseNativeType(native);
  const asIs = (raw: unknown) => raw;
  switch (kind) {
    case 'boolean':
      return { toDatabase: values.orNull(values.readBoolean), fromDatabase: asIs };
    case 'integer':
    case 'bigint': {
      const [least, most] = RANGES[parsed.name] ?? RANGES[kind === 'integer' ? 'int' : 'bigint'] ?? [0n, 0n];
      return {
        toDatabase: values.orNull((value) => values.readInteger(value, least, most)),
        fromDatabase: values.integerToWire,
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
      return {
        toDatabase: values.orNull((value) => cutFraction(parsed.name, readDateTime(value))),
        fromDatabase: dropZeroFraction,
      };
    case 'json':
      return { toDatabase: values.orNull(values.readJson), fromDatabase: asIs };
    case 'binary':
      return { toDatabase: values.orNull(values.readBytes), fromDatabase: values.bytesToText };
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

/** The two older types of moments refuse a finer fraction than their own. */
function cutFraction(name: string, moment: string): string {
  if (name === 'smalldatetime') return moment.replace(/\..*$/, '');
  return name === 'datetime' ? moment.replace(/(\.\d{3})\d+$/, '$1') : moment;
}

function decimal(native: string, { name, arguments: sizes }: ParsedNativeType): ValueCodec {
  const [precision = 18, scale = 0] = MONEY[name] ?? sizes;
  const isWidest = native.trim().toLowerCase() === WIDEST_DECIMAL;
  return {
    toDatabase: values.orNull((value) => {
      const text = values.readDecimal(value);
      if (isWidest && (text.split('.')[1] ?? '').replace(/0+$/, '').length > scale) {
        throw valueError('VALUE_DIGITS_AFTER', { most: scale });
      }
      const rounded = values.roundDecimal(text, scale);
      values.checkPrecision(rounded, precision, scale);
      return rounded;
    }),
    fromDatabase: isWidest ? dropZeroFraction : asText,
  };
}

/** Converts numbers to text: the driver returns only short decimals as numbers. */
function asText(raw: unknown): unknown {
  return typeof raw === 'number' ? String(raw) : raw;
}

function dropZeroFraction(raw: unknown): unknown {
  const text = asText(raw);
  return typeof text === 'string' ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text;
}
