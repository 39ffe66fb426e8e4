import { Emitter, messageOf, readableError } from '@trellis/core';

/** A contained failure of a plugin in this page. */
export interface Diagnostic {
  readonly pluginId: string;
  /** The place, such as "setup", "hook session.didStart" or "tab Comments". */
  readonly where: string;
  readonly message: string;
  /** The place in a file of an installed web half, taken from the stack: `/ext/acme/1.0.0~Zm9v/index.js:10:7`. */
  readonly thrownAt?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** In a browser's stack the place stands between an origin and a bracket or the end of the line. */
const placeInStack = /\/ext\/[^\s():]+:\d+:\d+/;

/** The place in a file of an installed web half at which an error, or what caused it, was thrown; undefined where no stack names one. */
function thrownAt(thrown: unknown): string | undefined {
  for (let error = readableError(thrown); error instanceof Error; error = error.cause) {
    const [place] = placeInStack.exec(error.stack ?? '') ?? [];
    if (place !== undefined) return place;
  }
  return undefined;
}

const capacity = 200;

/** The failures contained in this page, newest first. */
export class Diagnostics {
  readonly #changed = new Emitter<Diagnostic>();
  #items: readonly Diagnostic[] = [];

  readonly onDidAdd = this.#changed.event;

  /** The same array until a failure is added. */
  list(): readonly Diagnostic[] {
    return this.#items;
  }

  add(pluginId: string, where: string, error: unknown): void {
    const message = messageOf(error);
    const item = { pluginId, where, message, thrownAt: thrownAt(error), time: Date.now() };
    this.#items = [item, ...this.#items].slice(0, capacity);
    this.#changed.fire(item);
  }
}
