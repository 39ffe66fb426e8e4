import { existsSync } from 'node:fs';
import { checkTypes, tsconfigOf } from './check-types.ts';
import { messageOf, say, tell } from './command.ts';

/** Checks the types in parallel to builds, which do not wait for it, and reports when errors appear and when they are gone. */
export class TypesBeside {
  readonly #folder: string;
  #running: AbortController | undefined;
  #isWrong = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Checks the current sources; a running check is outdated and is aborted. */
  check(): void {
    this.end();
    if (!existsSync(tsconfigOf(this.#folder))) return;
    const running = new AbortController();
    this.#running = running;
    checkTypes(this.#folder, running.signal).then(
      () => this.#told(running.signal),
      (error: unknown) => this.#told(running.signal, error),
    );
  }

  end(): void {
    this.#running?.abort();
  }

  #told(signal: AbortSignal, error?: unknown): void {
    if (signal.aborted) return;
    if (error !== undefined) tell(`The types are wrong, which keeps nothing back:\n${messageOf(error)}`);
    else if (this.#isWrong) say('The types are right again');
    this.#isWrong = error !== undefined;
  }
}
