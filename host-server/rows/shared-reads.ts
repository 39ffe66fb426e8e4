import type { Database, ReadOptions } from '../databases/database.ts';
import type { RowSet, Statement } from '../sql/unit.ts';

interface Asked {
  readonly statement: Statement;
  readonly resolve: (rows: RowSet) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The reads of one call, such as those of the links of a page. Reads of the same tick are sent to the database together, as one
 * unit in one round trip: sending a message takes longer than reading some rows by an index.
 */
export class SharedReads {
  readonly #database: Database;
  readonly #options: ReadOptions;
  #asked: Asked[] = [];

  constructor(database: Database, options: ReadOptions) {
    this.#database = database;
    this.#options = options;
  }

  rows(statement: Statement): Promise<RowSet> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const found = await this.#database.read(
        (unit) => unit.batch(asked.map(({ statement }) => statement)),
        this.#options,
      );
      for (const [at, { resolve, reject }] of asked.entries()) {
        const rows = found[at];
        if (rows === undefined) reject(new Error('A statement of a batch has no answer'));
        else resolve(rows);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
