import type { PluginDatabase, PluginUnit as Unit } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { formErrors } from './form-errors.ts';

/** The facts by which an answer is counted. */
export interface Counted {
  readonly viewId: string;
  /** The sender, if each person may answer once. */
  readonly person: string | undefined;
  /** The visitor as whom their browser was known before signing in: answers sent then were theirs. */
  readonly stranger: string | undefined;
}

/** A form whose answers are counted. */
export interface CountedForm {
  readonly viewId: string;
  /** When it was last known to exist, in milliseconds since 1970; undefined if that was never recorded. */
  readonly seenAt: number | undefined;
}

/** Counts the answers that each form got by its link, and their senders. */
export class Tally {
  readonly #db: PluginDatabase;
  readonly #known = new Set<string>();

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /**
   * Counts an answer before its row is added, so that no two pass as the last one.
   *
   * @param most 0 for any number
   * @throws TrellisError `FORM_FULL` or `FORM_ANSWERED`
   */
  async take({ viewId, person, stranger }: Counted, most: number): Promise<void> {
    await this.#begin(viewId);
    await this.#db.write(async (unit) => {
      const counter = unit.table('tally').where({ view_id: viewId });
      if (most > 0) void counter.where('answers', '<', most);
      const changed = await unit.run(counter.increment('answers', 1));
      if (changed === 0) throw formErrors.create('FORM_FULL');
      await assertNew(unit, viewId, [stranger]);
      if (person !== undefined) await this.#remember(unit, { viewId, person });
    });
  }

  /** @throws TrellisError the error with which `take` would refuse an answer now. */
  async check({ viewId, person, stranger }: Counted, most: number): Promise<void> {
    await this.#db.read(async (unit) => {
      const form = { view_id: viewId };
      if (most > 0) {
        const counter = unit.table('tally').where(form).select('answers');
        const found = await unit.first<{ readonly answers: number | string }>(counter);
        if (Number(found?.answers ?? 0) >= most) throw formErrors.create('FORM_FULL');
      }
      await assertNew(unit, viewId, [person, stranger]);
    });
  }

  /** Undoes the count of an answer that was refused afterwards. */
  async giveBack({ viewId, person }: Omit<Counted, 'stranger'>): Promise<void> {
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('tally').where({ view_id: viewId }).decrement('answers', 1));
      if (person !== undefined)
        await unit.run(unit.table('sender').where({ view_id: viewId, person }).delete());
    });
  }

  async forms(): Promise<readonly CountedForm[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly view_id: string; readonly seen_at: number | string | null }>(
        unit.table('tally').select('view_id', 'seen_at'),
      ),
    );
    return rows.map(({ view_id: viewId, seen_at: at }) => ({
      viewId,
      seenAt: at === null ? undefined : Number(at),
    }));
  }

  async isCounted(viewId: string): Promise<boolean> {
    const row = await this.#db.read((unit) =>
      unit.first(unit.table('tally').where({ view_id: viewId }).select('view_id')),
    );
    return row !== undefined;
  }

  /** Records that forms existed at a given time. */
  async see(forms: readonly CountedForm[], at: number): Promise<void> {
    const ids = forms.map(({ viewId }) => viewId);
    if (ids.length > 0)
      await this.#db.write((unit) =>
        unit.run(unit.table('tally').whereIn('view_id', ids).update({ seen_at: at })),
      );
  }

  /** Deletes the counts of a deleted form. */
  async forget(viewId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const table of ['tally', 'sender'])
        await unit.run(unit.table(table).where({ view_id: viewId }).delete());
    });
    this.#known.delete(viewId);
  }

  async #remember(
    unit: Unit,
    { viewId, person }: { readonly viewId: string; readonly person: string },
  ): Promise<void> {
    const row = { view_id: viewId, person, answered_at: Date.now() };
    try {
      await unit.run(unit.table('sender').insert(row));
    } catch (error) {
      if (!isKnownKey(error)) throw error;
      throw formErrors.create('FORM_ANSWERED');
    }
  }

  /** Ensures that the counter of a form exists. */
  async #begin(viewId: string): Promise<void> {
    if (this.#known.has(viewId)) return;
    await this.#db.writeKey(async (unit) => {
      const key = { view_id: viewId };
      const found = await unit.first(unit.table('tally').where(key).select('answers'));
      if (found === undefined)
        await unit.run(unit.table('tally').insert({ ...key, answers: 0, seen_at: Date.now() }));
    });
    this.#known.add(viewId);
  }
}

/** @throws TrellisError `FORM_ANSWERED` if one of them has answered. */
async function assertNew(unit: Unit, viewId: string, people: readonly (string | undefined)[]): Promise<void> {
  const known = people.filter((person) => person !== undefined);
  if (known.length === 0) return;
  const sender = unit.table('sender').where({ view_id: viewId }).whereIn('person', known).select('person');
  if ((await unit.first(sender)) !== undefined) throw formErrors.create('FORM_ANSWERED');
}

function isKnownKey(error: unknown): boolean {
  return error instanceof TrellisError && error.code === 'UNIQUE_VIOLATION';
}
