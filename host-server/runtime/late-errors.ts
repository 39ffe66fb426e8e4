import { messageOf, readableError } from '@trellis/core';

/** An error that reached nobody: a rejection without a handler, or what a timer threw. */
export interface LateError {
  /** The plugin under whose name it was thrown, if any. */
  readonly plugin: string | undefined;
  readonly error: unknown;
  /** Whether the run of the plugin that it comes from is over. */
  readonly isLeftOver: boolean;
}

/** Of one plugin in a minute: each costs the reading of its stack and a line of the log. */
const mostInFull = 20;
const minute = 60_000;

interface Burst {
  count: number;
  last: LateError;
}

/**
 * Tells late errors: the first ones of a plugin in full, the others as a number at the end of the minute. Code that rejects in a
 * loop would otherwise fill the log and stop the server.
 */
export class LateErrors {
  readonly #tell: (error: LateError) => void;
  readonly #bursts = new Map<string | undefined, Burst>();

  constructor(tell: (error: LateError) => void) {
    this.#tell = tell;
  }

  add(late: LateError): void {
    const burst = this.#bursts.get(late.plugin);
    if (burst === undefined) {
      this.#bursts.set(late.plugin, { count: 1, last: late });
      setTimeout(() => this.#end(late.plugin), minute).unref();
    } else {
      burst.count += 1;
      burst.last = late;
      if (burst.count > mostInFull) return;
    }
    this.#tell({ ...late, error: readableError(late.error) });
  }

  #end(plugin: string | undefined): void {
    const burst = this.#bursts.get(plugin);
    this.#bursts.delete(plugin);
    if (burst === undefined || burst.count <= mostInFull) return;
    // The last one stands for the others, itself among them.
    const more = burst.count - mostInFull - 1;
    const { last } = burst;
    this.#tell({ ...last, error: more === 0 ? readableError(last.error) : summary(last.error, more) });
  }
}

function summary(thrown: unknown, more: number): Error {
  const readable = readableError(thrown);
  const error = new Error(
    `${messageOf(readable)} … and ${more.toLocaleString('en')} more like it in the last minute`,
  );
  if (readable instanceof Error && readable.stack !== undefined) error.stack = readable.stack;
  return error;
}
