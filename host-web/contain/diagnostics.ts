import { Emitter } from '@trellis/core';

/** Something of a plugin that went wrong in this page and was contained. */
export interface Diagnostic {
  readonly pluginId: string;
  /** Where: "setup", "hook session.didStart", "tab Comments". */
  readonly where: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
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
    const message = error instanceof Error ? error.message : String(error);
    const item = { pluginId, where, message, time: Date.now() };
    this.#items = [item, ...this.#items].slice(0, capacity);
    this.#changed.fire(item);
  }
}
