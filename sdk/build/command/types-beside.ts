import { existsSync } from 'node:fs';
import { checkTypes, tsconfigOf } from './check-types.ts';
import { messageOf, say, tell } from './command.ts';

/** Checks the types beside what is built, which waits for none of it, and tells what is wrong and when it is mended. */
export class TypesBeside {
  readonly #folder: string;
  #running: AbortController | undefined;
  #isWrong = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Checks what is there now; one that still runs looks at what is out of date, and ends. */
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
