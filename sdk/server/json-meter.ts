const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The limits for JSON from outside. @public */
export interface JsonLimits {
  /** The most texts, numbers, lists and objects. An empty object of two bytes takes fifty in memory. */
  readonly values: number;
  /** The most different keys: a new key costs as much as a hundred known ones. */
  readonly keys: number;
  readonly depth: number;
}

/** What is known of a text up to some byte. */
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

/** What the bytes of one text are held against. */
interface Measures {
  readonly limits: JsonLimits;
  readonly passed: (limit: keyof JsonLimits) => Error;
  /** Takes the hashes of keys. */
  readonly different: Set<number>;
}

/** Goes on with an outline over the next bytes. One loop over local variables: texts of many megabytes come this way. */
function outlined(chunk: Uint8Array, before: Outline, { limits, passed, different }: Measures): Outline {
  let { values, depth, keys, isInText, isEscaped, hash } = before;
  /** Where the last text stands in the chunk, whose hash so far is that of what came before. */
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
        if (different.size > limits.keys) throw passed('keys');
        break;
      case comma:
        values += 1;
        break;
      case openList:
      case openObject:
        values += 1;
        depth += 1;
        if (depth > limits.depth) throw passed('depth');
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
 * Counts the values and keys of JSON while its bytes arrive, before it is parsed. Code that parses texts of strangers must add
 * their bytes here first: a few compressed kilobytes may contain millions of values. It does not check the syntax, which
 * `JSON.parse` does.
 *
 * The counting looks at bytes: in UTF-8 no byte of another character equals a bracket, a comma or a quotation mark.
 * @public
 */
export class JsonMeter {
  readonly #measures: Measures;
  #outline: Outline = { values: 1, depth: 0, keys: 0, isInText: false, isEscaped: false, hash: emptyHash };

  /** @param passed makes the error for an exceeded limit. */
  constructor(limits: JsonLimits, passed: (limit: keyof JsonLimits) => Error) {
    this.#measures = { limits, passed, different: new Set() };
  }

  /** The number of keys in all objects, including repeated ones. */
  get keys(): number {
    return this.#outline.keys;
  }

  /** The number of values: a list of three counts as four. */
  get values(): number {
    return this.#outline.values;
  }

  /** Throws the error of `passed` when the text exceeds a limit with these bytes. */
  add(chunk: Uint8Array): void {
    this.#outline = outlined(chunk, this.#outline, this.#measures);
    if (this.#outline.values > this.#measures.limits.values) throw this.#measures.passed('values');
  }
}
