import type { StorageKind } from '@trellis/sdk/shared';
import type { JsonCellKind } from '../../sql/json-rows.ts';
import type { Binding } from '../../sql/session.ts';
import { typeErrors } from './value-errors.ts';

export interface TypeOptions {
  /** A native type of the dialect's closed list (or an alias), without sizes, instead of the kind's usual one. */
  readonly native?: string;
  /** Characters of `string`. */
  readonly length?: number;
  /** The number of digits of `decimal`: all of them, and those after the point. */
  readonly precision?: number;
  readonly scale?: number;
}

/** The meaning of an existing column's native type. */
export interface NativeTypeReading {
  readonly kind: StorageKind;
  /** The column type for an existing column of this native type. */
  readonly uidt: string;
  /** `false` for types whose text might not be written back unchanged. */
  readonly editable: boolean;
  /** The choices of an enum or set. */
  readonly choices?: readonly string[];
  /** The most characters of a text, if the type limits them. */
  readonly length?: number;
  /**
   * The digits of a decimal, and those after the point; both or neither. A display width that limits no value, as in `int(11)`,
   * is no size.
   */
  readonly precision?: number;
  readonly scale?: number;
}

/** Converts values of one column between the wire and the driver. `null` stays `null` both ways. */
export interface ValueCodec {
  /** Throws a value error (`isValueError`) for a value that the column cannot hold exactly. */
  toDatabase(value: unknown): Binding;
  fromDatabase(raw: unknown): unknown;
  /** The JSON form of cells that corresponds to `fromDatabase`; undefined when only code can convert them. */
  readonly json?: JsonCellKind;
}

export interface TypeMap {
  /** The native types that a caller may name. */
  readonly nativeTypes: readonly string[];
  /** The native type for text of any length, if the usual one of `text` is limited. */
  readonly largeText?: string;
  /** The native type for moments in whole seconds, if the usual one of `datetime` stores fractions. */
  readonly wholeSeconds?: string;
  /** Whether a name, in lower case and without sizes, is a native type of this dialect or another name for one. */
  knows(name: string): boolean;
  /** The native type of a new column. Throws for a type or size outside the closed list. */
  nativeFor(kind: StorageKind, options?: TypeOptions): string;
  /** Reads the native type of an existing column, as introspection returns it. */
  read(native: string): NativeTypeReading;
  codec(kind: StorageKind, native: string): ValueCodec;
}

/** A parsed native type: `decimal(10,2) unsigned` has name `decimal`, arguments 10 and 2, unsigned. */
export interface ParsedNativeType {
  readonly name: string;
  readonly arguments: readonly number[];
  readonly unsigned: boolean;
}

export function parseNativeType(native: string): ParsedNativeType {
  const text = native.trim().toLowerCase();
  const sizes = /\(([\d\s,]+)\)/.exec(text)?.[1]?.split(',').map(Number) ?? [];
  const name = text
    .replace(/\([^)]*\)/g, '')
    .replace(/\b(unsigned|zerofill|signed)\b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { name, arguments: sizes, unsigned: /\bunsigned\b/.test(text) };
}

export interface TypeMapParts {
  /** The most characters of a new `string` column. Default ten million. */
  readonly longestString?: number;
  readonly nativeTypes: readonly string[];
  readonly largeText?: string;
  readonly wholeSeconds?: string;
  /** Aliases of types in the list, as databases and clients write them. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly native: (kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions) => string;
  /** Native types with sizes, and the number of sizes. */
  readonly sized: ReadonlyMap<string, number>;
  readonly read: (native: string) => NativeTypeReading;
  readonly codec: (kind: StorageKind, native: string) => ValueCodec;
}

/** Builds the topic. Names and sizes are checked the same way everywhere, since sizes become SQL text. */
export function createTypeMap(parts: TypeMapParts): TypeMap {
  return {
    nativeTypes: parts.nativeTypes,
    largeText: parts.largeText,
    wholeSeconds: parts.wholeSeconds,
    knows: (name) => parts.nativeTypes.includes(name) || parts.aliases.has(name),
    nativeFor(kind, options = {}) {
      if (kind === 'virtual') throw typeErrors.create('NATIVE_TYPE_VIRTUAL');
      checkSize('NATIVE_LENGTH', options.length, 1, parts.longestString ?? 10_000_000);
      checkSize('NATIVE_PRECISION', options.precision, 1, 65);
      checkSize('NATIVE_SCALE', options.scale, 0, Math.min(30, options.precision ?? 30));
      if (options.native === undefined) return parts.native(kind, options);
      const asked = options.native.trim().toLowerCase();
      const name = parts.aliases.get(asked) ?? asked;
      if (!parts.nativeTypes.includes(name)) {
        throw typeErrors.create('NATIVE_TYPE_UNKNOWN', { types: parts.nativeTypes.join(', ') });
      }
      const sizes = [options.length ?? options.precision, options.scale].filter((size) => size !== undefined);
      const taken = sizes.slice(0, parts.sized.get(name) ?? 0);
      return taken.length === 0 ? name : `${name}(${taken.join(',')})`;
    },
    read(native) {
      const reading = parts.read(native);
      return { ...reading, ...sizesOf(parts, native, reading.kind) };
    },
    codec: parts.codec,
  };
}

/** The sizes in a native type, if they limit its values. */
function sizesOf(
  { aliases, sized }: Pick<TypeMapParts, 'aliases' | 'sized'>,
  native: string,
  kind: StorageKind,
): Pick<NativeTypeReading, 'length' | 'precision' | 'scale'> {
  const { name, arguments: sizes } = parseNativeType(native);
  const [size, scale = 0] = sizes.slice(0, sized.get(aliases.get(name) ?? name) ?? 0);
  if (size === undefined) return {};
  if (kind === 'string') return { length: size };
  return kind === 'decimal' ? { precision: size, scale } : {};
}

function checkSize(
  what: 'NATIVE_LENGTH' | 'NATIVE_PRECISION' | 'NATIVE_SCALE',
  size: number | undefined,
  least: number,
  most: number,
): void {
  if (size === undefined) return;
  if (!Number.isInteger(size) || size < least || size > most) {
    throw typeErrors.create(what, { least, most });
  }
}

/** The reading of a type by its exact name, else by the first matching pattern. */
export function lookUp<Reading>(
  name: string,
  rules: readonly (readonly [pattern: RegExp, reading: Reading])[],
): Reading | undefined {
  return rules.find(([pattern]) => pattern.test(name))?.[1];
}
