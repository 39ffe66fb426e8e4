import { JsonMeter, type JsonLimits } from '@trellis/sdk/server';
import { httpErrors } from './http-errors.ts';

/** What one body may hold: 100,000 rows of 20 cells with the keys of their table. */
const limits: JsonLimits = { values: 2_000_000, keys: 50_000, depth: 200 };

/** Matches half surrogate pairs only: with the flag `u`, a whole pair is one character. */
const unpairedSurrogate = /\p{Surrogate}/u;
/** A JSON escape of half a surrogate pair. The parsed text tells whether the other half follows. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

const notJson = (problem: string) => httpErrors.create('BODY_NOT_JSON', { problem });

function refuse(problem: string): never {
  throw notJson(problem);
}

function passed(limit: keyof JsonLimits): Error {
  if (limit === 'depth') return notJson(`it is nested deeper than ${limits.depth} levels`);
  const code = limit === 'keys' ? 'BODY_TOO_MANY_KEYS' : 'BODY_TOO_MANY_VALUES';
  return httpErrors.create(code, { limit: limits[limit] });
}

/** Reads JSON from outside: limited in bytes, values and depth while it arrives, before anything is built of it. */
export class JsonReader {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #meter = new JsonMeter(limits, passed);
  #bytes = 0;

  /** Takes at most so many bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws TrellisError 413 `BODY_TOO_LARGE`, 413 `BODY_TOO_MANY_VALUES`, 413 `BODY_TOO_MANY_KEYS`, 400 `BODY_NOT_JSON` for what is nested too deep. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) throw httpErrors.create('BODY_TOO_LARGE', { limit: this.#limit });
    this.#meter.add(chunk);
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
    if (keys !== this.#meter.keys) refuse('a key stands twice in one object');
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
