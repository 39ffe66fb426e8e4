import { createHash, randomUUID } from 'node:crypto';
import type { PluginDatabase } from '@trellis/sdk/server';
import type { NewNotice } from '../shared/index.ts';

/** A notice as it is kept; times are in milliseconds. */
export interface NoticeRow {
  readonly id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly row_key: string;
  readonly actor: string;
  readonly at: number | string;
  readonly read_at: number | string | null;
}

/** Notices that one person is shown at the most. */
const mostShown = 50;
const day = 24 * 3600 * 1000;
/** Days after which a notice goes, read or not. */
const keptDays = 90;

/** The same for what is told again of the same cause. */
function idOf({ accountId, kind, about }: Omit<NewNotice, 'requestId'>): string {
  if (about === undefined) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([accountId, kind, about]))
    .digest('hex')
    .slice(0, 40);
}

/** What people were told. */
export class Notices {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async add(notices: readonly Omit<NewNotice, 'requestId'>[]): Promise<void> {
    const at = Date.now();
    const rows = notices.map((notice) => ({
      id: idOf(notice),
      account_id: notice.accountId,
      kind: notice.kind,
      project_id: notice.projectId,
      table_id: notice.tableId,
      row_key: notice.rowKey,
      actor: notice.actor,
      at,
      read_at: null,
    }));
    if (rows.length > 0)
      await this.#db.write((unit) => unit.run(unit.table('notice').insert(rows).onConflict('id').ignore()));
  }

  /** The newest first. */
  list(accountId: string): Promise<readonly NoticeRow[]> {
    return this.#db.read((unit) =>
      unit.all<NoticeRow>(
        unit
          .table('notice')
          .where({ account_id: accountId })
          .orderBy([
            { column: 'at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(mostShown)
          .select('*'),
      ),
    );
  }

  /** Marks these as read, or all of a person where none are named. */
  async read(accountId: string, ids: readonly string[] | undefined): Promise<void> {
    await this.#db.write((unit) => {
      const own = unit.table('notice').where({ account_id: accountId }).whereNull('read_at');
      return unit.run(
        (ids === undefined ? own : own.whereIn('id', [...ids])).update({ read_at: Date.now() }),
      );
    });
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('notice').where({ project_id: projectId }).delete()));
  }

  async forgetAccount(accountId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('notice').where({ account_id: accountId }).delete()));
  }

  async sweep(): Promise<void> {
    const oldest = Date.now() - keptDays * day;
    await this.#db.write((unit) => unit.run(unit.table('notice').where('at', '<', oldest).delete()));
  }
}
