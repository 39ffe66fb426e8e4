const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

export const jsonBytes = { quote, comma, colon, openList, closeList, openObject, closeObject, blanks };

/** The bytes that end a number or another unquoted word. */
const endsWord: ReadonlySet<number> = new Set([
  ...blanks,
  comma,
  colon,
  quote,
  openList,
  closeList,
  openObject,
  closeObject,
]);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One value of a JSON text whose bytes arrive in chunks. */
export class JsonPiece {
  readonly #isWord: boolean;
  readonly #parts: Uint8Array[] = [];
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Bytes. */
  size = 0;

  constructor(first: number) {
    this.#isWord = first !== quote && first !== openList && first !== openObject;
  }

  /** The index at which the value ends in the next chunk; undefined if it does not end there. */
  endIn(chunk: Uint8Array, from: number): number | undefined {
    return this.#isWord ? endOfWord(chunk, from) : this.#endOfNested(chunk, from);
  }

  #endOfNested(chunk: Uint8Array, from: number): number | undefined {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isInText = false;
        if (this.#isInText) continue;
      } else if (byte === quote) {
        this.#isInText = true;
        continue;
      } else if (byte === openList || byte === openObject) this.#depth += 1;
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
      if (this.#depth === 0) return at + 1;
    }
    return undefined;
  }

  add(part: Uint8Array): void {
    this.#parts.push(part);
    this.size += part.length;
  }

  /** @throws SyntaxError, or TypeError for bytes that are no UTF-8. */
  value(): unknown {
    const [first, ...others] = this.#parts;
    return JSON.parse(utf8.decode(others.length === 0 ? first : Buffer.concat(this.#parts))) as unknown;
  }
}

function endOfWord(chunk: Uint8Array, from: number): number | undefined {
  for (let at = from; at < chunk.length; at += 1) if (endsWord.has(chunk[at] ?? 0)) return at;
  return undefined;
}
