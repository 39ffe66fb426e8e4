import { JsonMeter, type JsonLimits } from '@trellis/sdk/server';
import { Breaths } from './breaths.ts';
import { jsonBytes, JsonPiece } from './json-piece.ts';

/** A value of a JSON text. */
export interface JsonSlice {
  /** The keys and indexes that lead to it. */
  readonly path: readonly (string | number)[];
  /** Empty for a list or an object whose slices follow. */
  readonly value: unknown;
}

export interface SliceOptions {
  /** Lists and objects at this depth are slices; those above it are split. */
  readonly opened: number;
  /** The limits of the whole text; keys are those within slices. */
  readonly limits: JsonLimits;
  /** The limits of one slice. */
  readonly slice: { readonly bytes: number; readonly values: number };
  /** Creates the error for an exceeded limit. */
  readonly passed: () => Error;
}

type Wanted = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'more or end' | 'nothing';

const { quote, comma, colon, openList, closeList, openObject, closeObject, blanks } = jsonBytes;

const wrong = (problem: string) => new SyntaxError(problem);

/** Splits a JSON text into slices while its bytes arrive. */
class Slicer {
  readonly #options: SliceOptions;
  readonly #meter: JsonMeter;
  /** The current position within each open list and object. */
  readonly #path: (string | number)[] = [];
  #wanted: Wanted = 'value';
  #piece: JsonPiece | undefined;
  #valuesBefore = 0;
  #count = 0;
  readonly #take: (slice: JsonSlice) => void;

  constructor(options: SliceOptions, take: (slice: JsonSlice) => void) {
    this.#options = options;
    this.#take = take;
    this.#meter = new JsonMeter(options.limits, options.passed);
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#piece !== undefined) at = this.#goOn(this.#piece, chunk, at);
      else if (blanks.has(chunk[at] ?? 0)) at += 1;
      else at += this.#meet(chunk[at] ?? 0);
    }
  }

  /** @throws SyntaxError for a truncated text. */
  end(): void {
    // A number has no end mark.
    if (this.#piece !== undefined) this.#endPiece(this.#piece);
    if (this.#wanted !== 'nothing') throw wrong('it ends too early');
  }

  #goOn(piece: JsonPiece, chunk: Uint8Array, from: number): number {
    const end = piece.endIn(chunk, from);
    const part = chunk.subarray(from, end);
    const { slice, passed } = this.#options;
    piece.add(part);
    if (piece.size > slice.bytes) throw passed();
    // Counted before anything is parsed.
    this.#meter.add(part);
    if (this.#meter.values - this.#valuesBefore > slice.values) throw passed();
    if (end !== undefined) this.#endPiece(piece);
    return end ?? chunk.length;
  }

  /** Handles a byte between two values; returns the number of consumed bytes. */
  #meet(byte: number): number {
    switch (this.#wanted) {
      case 'value or end':
        return byte === closeList ? this.#close() : this.#begin(byte);
      case 'value':
        return this.#begin(byte);
      case 'key or end':
        return byte === closeObject ? this.#close() : this.#beginKey(byte);
      case 'key':
        return this.#beginKey(byte);
      case 'colon':
        if (byte !== colon) throw wrong('a colon is missing');
        this.#wanted = 'value';
        return 1;
      case 'more or end':
        return this.#goBehind(byte);
      case 'nothing':
        throw wrong('something stands behind it');
    }
  }

  #begin(byte: number): number {
    const isContainer = byte === openList || byte === openObject;
    if (!isContainer || this.#path.length >= this.#options.opened) return this.#beginPiece(byte);
    const isList = byte === openList;
    this.#give(isList ? [] : {});
    this.#path.push(isList ? 0 : '');
    this.#wanted = isList ? 'value or end' : 'key or end';
    return 1;
  }

  #beginKey(byte: number): number {
    if (byte !== quote) throw wrong('a key is missing');
    this.#wanted = 'key';
    return this.#beginPiece(byte);
  }

  #beginPiece(byte: number): number {
    this.#piece = new JsonPiece(byte);
    this.#valuesBefore = this.#meter.values;
    return 0;
  }

  #endPiece(piece: JsonPiece): void {
    this.#piece = undefined;
    const value = piece.value();
    if (this.#wanted === 'key') {
      this.#path[this.#path.length - 1] = value as string;
      this.#wanted = 'colon';
      return;
    }
    this.#give(value);
    this.#wanted = this.#path.length === 0 ? 'nothing' : 'more or end';
  }

  #give(value: unknown): void {
    this.#count += 1;
    if (this.#count + this.#meter.values > this.#options.limits.values) throw this.#options.passed();
    this.#take({ path: [...this.#path], value });
  }

  #goBehind(byte: number): number {
    const at = this.#path.at(-1);
    const isList = typeof at === 'number';
    if (byte === (isList ? closeList : closeObject)) return this.#close();
    if (byte !== comma) throw wrong('a comma is missing');
    if (isList) this.#path[this.#path.length - 1] = at + 1;
    this.#wanted = isList ? 'value' : 'key';
    return 1;
  }

  #close(): number {
    this.#path.pop();
    this.#wanted = this.#path.length === 0 ? 'nothing' : 'more or end';
    return 1;
  }
}

/**
 * Reads untrusted JSON in slices: no slice blocks the event loop, and the caller can drop unwanted ones.
 *
 * @param take called with each slice once it is complete; an error of it ends the reading
 * @throws SyntaxError for invalid JSON, TypeError for invalid UTF-8, and the error from `passed`.
 */
export async function readInSlices(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SliceOptions,
  take: (slice: JsonSlice) => void,
): Promise<void> {
  const slicer = new Slicer(options, take);
  const breaths = new Breaths();
  for await (const chunk of bytes) {
    slicer.add(chunk);
    await breaths.take();
  }
  slicer.end();
}
