import { httpErrors } from './http-errors.ts';

const deepest = 200;
/** Texts, numbers, lists and objects of one body: 100,000 rows of 20 cells. An empty object of two bytes takes fifty in memory. */
const mostValues = 2_000_000;
/** Different keys of one body. Each that was not met before costs as much as a hundred that were, and rows have those of their table. */
const mostKeys = 50_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Matches half surrogate pairs only: with the flag `u`, a whole pair is one character. */
const unpairedSurrogate = /\p{Surrogate}/u;
/** A JSON escape of half a surrogate pair. The parsed text tells whether the other half follows. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

function refuse(problem: string): never {
  throw httpErrors.create('BODY_NOT_JSON', { problem });
}

/** What is known of a body up to some byte. */
interface Outline {
  readonly values: number;
  readonly depth: number;
  /** Colons outside of texts: one for each key. */
  readonly keys: number;
  readonly isInText: boolean;
  /** Behind a backslash in a text. */
  readonly isEscaped: boolean;
  /** Of the text that the bytes end in, or that was the last one in them. */
  readonly hash: number;
}

const emptyHash = 0x811c9dc5;

/** Goes on with the hash of a text (FNV-1a) over some of its bytes. */
function hashed(hash: number, chunk: Uint8Array, from: number, to: number): number {
  let mixed = hash;
  for (let at = from; at < to; at += 1) mixed = Math.imul(mixed ^ (chunk[at] ?? 0), 0x01000193);
  return mixed;
}

/**
 * Goes on with an outline over the next bytes. One loop over local variables: bodies of many megabytes come this way.
 *
 * @param different takes the hashes of keys
 * @throws TrellisError 400 `BODY_NOT_JSON` for what is nested too deep, 413 `BODY_TOO_MANY_KEYS`.
 */
function outlined(chunk: Uint8Array, before: Outline, different: Set<number>): Outline {
  let { values, depth, keys, isInText, isEscaped, hash } = before;
  /** Where the last text begins in this chunk; its hash goes on from the part in the chunk before. */
  let [from, to] = [0, 0];
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        isInText = false;
        to = at;
      }
      continue;
    }
    switch (byte) {
      case quote:
        isInText = true;
        hash = emptyHash;
        from = at + 1;
        break;
      case colon:
        keys += 1;
        // Only here is it known that the text was a key.
        different.add(hashed(hash, chunk, from, to));
        if (different.size > mostKeys) throw httpErrors.create('BODY_TOO_MANY_KEYS', { limit: mostKeys });
        break;
      case comma:
        values += 1;
        break;
      case openList:
      case openObject:
        values += 1;
        depth += 1;
        if (depth > deepest) refuse(`it is nested deeper than ${deepest} levels`);
        break;
      case closeList:
      case closeObject:
        depth -= 1;
        break;
    }
  }
  if (isInText) to = chunk.length;
  return { values, depth, keys, isInText, isEscaped, hash: hashed(hash, chunk, from, to) };
}

/**
 * Reads JSON from outside: limited in bytes, values and depth while it arrives, before anything is built of it.
 *
 * The counting looks at bytes: in UTF-8 no byte of another character equals a bracket, a comma or a quotation mark.
 */
export class JsonReader {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  /** Hashes of the keys that were met. */
  readonly #keys = new Set<number>();
  #bytes = 0;
  #outline: Outline = {
    values: 1,
    depth: 0,
    keys: 0,
    isInText: false,
    isEscaped: false,
    hash: emptyHash,
  };

  /** Takes at most so many bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws TrellisError 413 `BODY_TOO_LARGE`, 413 `BODY_TOO_MANY_VALUES`, 413 `BODY_TOO_MANY_KEYS`, 400 `BODY_NOT_JSON` for what is nested too deep. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) throw httpErrors.create('BODY_TOO_LARGE', { limit: this.#limit });
    this.#outline = outlined(chunk, this.#outline, this.#keys);
    if (this.#outline.values > mostValues)
      throw httpErrors.create('BODY_TOO_MANY_VALUES', { limit: mostValues });
    this.#chunks.push(chunk);
  }

  /**
   * The value of what was added; undefined for an empty body.
   *
   * A key that stands twice in one object would mean one thing to one reader and another to the next, so it is refused, as are
   * keys that reach for a prototype and text that no database could give back as it was written.
   *
   * @throws TrellisError 400 `BODY_NOT_JSON`, 400 `BODY_NOT_UTF8`.
   */
  value(): unknown {
    const text = decode(this.#chunks);
    if (text.trim() === '') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      refuse((error instanceof Error ? error.message : '').slice(0, 120));
    }
    const keys = surrogateEscape.test(text) ? countKeys(value, refuseHalfCharacters) : countKeys(value);
    if (keys !== this.#outline.keys) refuse('a key stands twice in one object');
    return value;
  }
}

/** Drops a byte order mark, and throws for bytes that are no UTF-8. Keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(chunks: readonly Uint8Array[]): string {
  try {
    const [first, ...others] = chunks;
    return utf8.decode(others.length === 0 ? first : Buffer.concat(chunks));
  } catch (error) {
    throw httpErrors.create('BODY_NOT_UTF8', {}, error);
  }
}

function refuseHalfCharacters(text: string): void {
  if (unpairedSurrogate.test(text)) refuse('a text holds half of a character (an unpaired surrogate)');
}

/** Counts the keys of a parsed value, refuses those that reach for prototypes, and shows every text to `onText`. */
function countKeys(value: unknown, onText?: (text: string) => void): number {
  if (typeof value === 'string') onText?.(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let keys = 0;
    for (const item of value) keys += countKeys(item, onText);
    return keys;
  }
  let keys = 0;
  // Parsed objects have no inherited keys, and `Object.keys` would make a list for each row of a bulk write.
  for (const key in value) {
    if (key === '__proto__') refuse("the key '__proto__' is not allowed");
    const child = (value as Record<string, unknown>)[key];
    if (
      key === 'constructor' &&
      typeof child === 'object' &&
      child !== null &&
      Object.hasOwn(child, 'prototype')
    )
      refuse("the key 'constructor.prototype' is not allowed");
    onText?.(key);
    keys += 1 + countKeys(child, onText);
  }
  return keys;
}
