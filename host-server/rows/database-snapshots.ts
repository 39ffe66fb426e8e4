import type { Database, DatabaseSnapshot } from '../databases/database.ts';

/** A source of streams: a database as it is, or a snapshot of it at one moment. */
export type StreamSource = Pick<Database, 'stream'> | Pick<DatabaseSnapshot, 'stream'>;

/** A snapshot of each database that is read from, opened when it is first needed. */
export class DatabaseSnapshots {
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<Database, Promise<DatabaseSnapshot>>();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  of(database: Database, share: string | undefined): Promise<DatabaseSnapshot> {
    let opened = this.#opened.get(database);
    if (opened === undefined) {
      opened = database.snapshot({ signal: this.#signal, share });
      this.#opened.set(database, opened);
    }
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    this.#opened.clear();
    await Promise.all(opened.flatMap((of) => (of.status === 'fulfilled' ? [of.value.close()] : [])));
  }
}
