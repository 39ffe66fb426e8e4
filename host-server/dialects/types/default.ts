import type { StorageKind } from '@trellis/sdk/shared';
import type { JsonCellKind } from '../../sql/json-rows.ts';
import type { Binding } from '../../sql/session.ts';
import { typeErrors } from './value-errors.ts';

export interface TypeOptions {
  /** A native type of the dialect's closed list (or an alias), without sizes, instead of the kind's usual one. */
  readonly native?: string;
  /** Characters of `string`. */
  readonly length?: number;
  /** Digits of `decimal`, all of them and those after the point. */
  readonly precision?: number;
  readonly scale?: number;
}

/** What a native type of an existing column means to us. */
export interface NativeTypeReading {
  readonly kind: StorageKind;
  /** The column type that an existing column of this type gets. */
  readonly uidt: string;
  /** `false` for types whose text we cannot be sure to write back as it was. */
  readonly editable: boolean;
  /** The choices of an enum or set. */
  readonly choices?: readonly string[];
  /** Characters of a text at most, where the type says so. */
  readonly length?: number;
  /** Digits of a decimal, and those of them behind the point; both or neither. A width that limits no value, as in `int(11)`, is no size. */
  readonly precision?: number;
  readonly scale?: number;
}

/** Carries values of one column between the wire and the driver. `null` stays `null` both ways. */
export interface ValueCodec {
  /** Throws a value error (`isValueError`) for what the column cannot hold exactly. */
  toDatabase(value: unknown): Binding;
  fromDatabase(raw: unknown): unknown;
  /** What `fromDatabase` does, in the words of who writes rows as JSON; undefined where it cannot be said so. */
  readonly json?: JsonCellKind;
}

export interface TypeMap {
  /** The native types that a caller may ask for by name. */
  readonly nativeTypes: readonly string[];
  /** The native type that holds text of any length, where the usual one of `text` does not. */
  readonly largeText?: string;
  /** The native type of moments in whole seconds, where the usual one of `datetime` keeps more. */
  readonly wholeSeconds?: string;
  /** Whether a name, in lower case and without sizes, is a native type of this dialect or another name for one. */
  knows(name: string): boolean;
  /** The native type of a new column. Throws for a type or size outside the closed list. */
  nativeFor(kind: StorageKind, options?: TypeOptions): string;
  /** Reads the native type of an existing column, as the introspection gives it. */
  read(native: string): NativeTypeReading;
  codec(kind: StorageKind, native: string): ValueCodec;
}

/** A native type taken apart: `decimal(10,2) unsigned` is name `decimal`, arguments 10 and 2, unsigned. */
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
  /** Characters of the longest `string` that a column can be made for. Default ten million. */
  readonly longestString?: number;
  readonly nativeTypes: readonly string[];
  readonly largeText?: string;
  readonly wholeSeconds?: string;
  /** Other names for types of the list, as databases and clients write them. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly native: (kind: Exclude<StorageKind, 'virtual'>, options: TypeOptions) => string;
  /** Native types that take sizes, and how many. */
  readonly sized: ReadonlyMap<string, number>;
  readonly read: (native: string) => NativeTypeReading;
  readonly codec: (kind: StorageKind, native: string) => ValueCodec;
}

/** Builds the topic; the checks of names and sizes are the same everywhere, since sizes end up in SQL text. */
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

/** The sizes that a native type names, where they limit its values. */
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

/** Finds the reading of a type by exact name, else by the first pattern that matches. */
export function lookUp<Reading>(
  name: string,
  rules: readonly (readonly [pattern: RegExp, reading: Reading])[],
): Reading | undefined {
  return rules.find(([pattern]) => pattern.test(name))?.[1];
}
