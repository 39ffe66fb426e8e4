import { Emitter, messageOf, readableError } from '@trellis/core';

/** Something of a plugin that went wrong in this page and was contained. */
export interface Diagnostic {
  readonly pluginId: string;
  /** Where: "setup", "hook session.didStart", "tab Comments". */
  readonly where: string;
  readonly message: string;
  /** The place in a file of an installed web half that its stack names: `/ext/acme/1.0.0~Zm9v/index.js:10:7`. */
  readonly thrownAt?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** As browsers write it, between an origin and a bracket or the end of a line. */
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

/** What was contained in this page, newest first. */
export class Diagnostics {
  readonly #changed = new Emitter<Diagnostic>();
  #items: readonly Diagnostic[] = [];

  readonly onDidAdd = this.#changed.event;

  /** The same array until something is added. */
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
