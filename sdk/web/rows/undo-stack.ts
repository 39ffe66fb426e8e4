import { ApiError } from '../api.ts';

/** So many writes can be taken back. */
const DEPTH = 100;

/** Where a stack outlives a reload of the page. */
export interface UndoMemory {
  read(): string | undefined;
  write(text: string): void;
}

/**
 * The operations that a person did, and took back, in this tab. Only one is on its way at a time, and one whose answer was
 * lost stays, so that it can be tried again; one that the server refuses for good goes.
 */
export class UndoStack {
  #done: readonly string[] = [];
  #undone: readonly string[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #memory: UndoMemory;

  constructor(memory: UndoMemory) {
    this.#memory = memory;
    const [done, undone] = parse(memory.read());
    this.#done = done;
    this.#undone = undone;
  }

  did(operation: string): void {
    this.#keep([...this.#done, operation].slice(-DEPTH), []);
  }

  /**
   * Takes the last operation back, or does it again: `call` is given its id and resolves to the id of what it did.
   * Resolves to false when there is none; rejects as `call` does.
   */
  step(
    direction: 'undo' | 'redo',
    call: (operation: string) => Promise<string | undefined>,
  ): Promise<boolean> {
    const turn = this.#turn.then(() => this.#step(direction, call));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #step(
    direction: 'undo' | 'redo',
    call: (operation: string) => Promise<string | undefined>,
  ): Promise<boolean> {
    const operation = (direction === 'undo' ? this.#done : this.#undone).at(-1);
    if (operation === undefined) return false;
    const forget = (reverse: readonly string[]): void => {
      const without = (list: readonly string[]): readonly string[] => list.filter((id) => id !== operation);
      if (direction === 'undo') this.#keep(without(this.#done), [...this.#undone, ...reverse]);
      else this.#keep([...this.#done, ...reverse], without(this.#undone));
    };
    try {
      const reverse = await call(operation);
      forget(reverse === undefined ? [] : [reverse]);
      return true;
    } catch (error) {
      if (isRefusal(error)) forget([]);
      throw error;
    }
  }

  #keep(done: readonly string[], undone: readonly string[]): void {
    this.#done = done;
    this.#undone = undone;
    this.#memory.write(JSON.stringify([done, undone]));
  }
}

/** True when trying again would be answered the same. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 408, 429].includes(error.status)
  );
}

function parse(text: string | undefined): readonly [readonly string[], readonly string[]] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    const [done, undone] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return [texts(done), texts(undone)];
  } catch {
    // Somebody else's text: there is nothing to take back.
    return [[], []];
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A stack that lives as long as the tab, for one person and table. */
export function undoMemoryOfTab(userId: string, tableId: string): UndoMemory {
  const key = `trellis.undo.${userId}.${tableId}`;
  return {
    read: () => sessionStorage.getItem(key) ?? undefined,
    write: (text) => {
      try {
        sessionStorage.setItem(key, text);
      } catch {
        // A browser without room for it: the stack lives until the page is loaded again.
      }
    },
  };
}
