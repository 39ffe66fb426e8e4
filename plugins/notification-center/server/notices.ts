import { createHash, randomUUID } from 'node:crypto';
import type { NewNotice, PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { NoticeWish } from '../shared/index.ts';
import type { NoticeKinds } from './notice-kinds.ts';

/** A stored notice; times are in milliseconds. */
export interface NoticeRow {
  readonly id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly row_key: string;
  readonly about: string | null;
  readonly actor: string;
  readonly at: number | string;
  readonly read_at: number | string | null;
  /** JSON of `NoticeDetail`. */
  readonly detail: string | null;
}

/** The text of a notice about no row. */
export type NoticeDetail = Pick<NewNotice, 'title' | 'reason' | 'opens'>;

/** A notice with its person's settings for it. */
export type WishedNotice = NewNotice & {
  readonly wish: NoticeWish;
  /** Its content for the day's mail, sealed. */
  readonly digest?: string;
};

/** The person, and which of their notices. */
export interface NoticeFilter {
  readonly accountId: string;
  readonly which: 'all' | 'unread';
}

/** The most notices that one person is shown, and that are read at once. */
export const mostShown = 50;
const longestAbout = 100;
const day = 24 * 3600 * 1000;
/** Days after which a notice is deleted, read or not. */
const keptDays = 90;

/** The same for repeated notices of the same cause. */
function idOf({ accountId, kind, about }: NewNotice): string {
  if (about === undefined) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([accountId, kind, about]))
    .digest('hex')
    .slice(0, 40);
}

/** The stored notices of people. */
export class Notices {
  readonly #db: PluginDatabase;
  readonly #kinds: Pick<NoticeKinds, 'of'>;

  constructor(db: PluginDatabase, kinds: Pick<NoticeKinds, 'of'>) {
    this.#db = db;
    this.#kinds = kinds;
  }

  /** Stores notices; returns the new ones. */
  async add(notices: readonly WishedNotice[]): Promise<readonly WishedNotice[]> {
    if (notices.length === 0) return [];
    const at = Date.now();
    const byId = new Map(notices.map((notice) => [idOf(notice), notice]));
    return this.#db.write(async (unit) => {
      const known = await unit.all<{ readonly id: string }>(
        unit
          .table('notice')
          .whereIn('id', [...byId.keys()])
          .select('id'),
      );
      for (const { id } of known) byId.delete(id);
      const rowOf = (id: string, notice: WishedNotice) => ({
        id,
        account_id: notice.accountId,
        kind: notice.kind,
        project_id: notice.projectId,
        table_id: notice.tableId ?? '',
        row_key: notice.rowKey ?? '',
        about: (notice.about?.length ?? 0) > longestAbout ? null : (notice.about ?? null),
        actor: notice.actor,
        detail: detailOf(notice),
        hidden: !notice.wish.page,
        at,
        read_at: null,
      });
      // Another server may store the same notice at this moment: only the one whose insert succeeds sends the mail.
      for (const [id, notice] of byId) {
        const isFresh = await unit.run(
          unit.table('notice').insert(rowOf(id, notice)).onConflict('id').ignore(),
        );
        if (isFresh === 0) byId.delete(id);
      }
      const digests = [...byId.values()].flatMap(({ accountId, digest }) =>
        digest === undefined ? [] : [{ id: randomUUID(), account_id: accountId, sealed: digest, at }],
      );
      if (digests.length > 0) await unit.run(unit.table('digest').insert(digests));
      return [...byId.values()];
    });
  }

  /** The settings of people, for the kinds where they changed something. */
  async wishes(accountIds: readonly string[]): Promise<(accountId: string, kind: string) => NoticeWish> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ account_id: string; kind: string; page: number | boolean; mail: NoticeWish['mail'] }>(
        unit
          .table('wish')
          .whereIn('account_id', [...accountIds])
          .select('*'),
      ),
    );
    return (accountId, kindId) => {
      const kind = this.#kinds.of(kindId);
      const said = rows.find((row) => row.account_id === accountId && row.kind === kind.id);
      const { page, mail = 'off' } = said ?? kind;
      return { page: Boolean(page), mail };
    };
  }

  async wish(accountId: string, kind: string, { page, mail }: NoticeWish): Promise<void> {
    const row = { account_id: accountId, kind, page, mail };
    await this.#db.write((unit) =>
      unit.run(unit.table('wish').insert(row).onConflict(['account_id', 'kind']).merge({ page, mail })),
    );
  }

  /** The projects of the notices that a person may be shown. */
  async projects(of: NoticeFilter): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly project_id: string }>(shownOf(unit, of).distinct('project_id')),
    );
    return rows.map(({ project_id: id }) => id);
  }

  /** The notices of some projects, the newest first, after the first `offset`. */
  list(
    of: NoticeFilter,
    { projectIds, offset }: { readonly projectIds: readonly string[]; readonly offset: number },
  ): Promise<readonly NoticeRow[]> {
    return this.#db.read((unit) =>
      unit.all<NoticeRow>(
        shownOf(unit, of)
          .whereIn('project_id', [...projectIds])
          .orderBy([
            { column: 'at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .offset(offset)
          .limit(mostShown)
          .select('*'),
      ),
    );
  }

  /** Marks these as read, or all of a person if none are named. */
  async read(accountId: string, ids: readonly string[] | undefined): Promise<void> {
    await this.#db.write((unit) => {
      const own = unit.table('notice').where({ account_id: accountId }).whereNull('read_at');
      return unit.run(
        (ids === undefined ? own : own.whereIn('id', [...ids])).update({ read_at: Date.now() }),
      );
    });
  }

  /** Marks these of a person as not read. */
  async unread(accountId: string, ids: readonly string[]): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('notice')
          .where({ account_id: accountId })
          .whereIn('id', [...ids])
          .update({ read_at: null }),
      ),
    );
  }

  async forgetAccount(accountId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const table of ['notice', 'wish', 'digest'])
        await unit.run(unit.table(table).where({ account_id: accountId }).delete());
    });
  }

  async sweep(): Promise<void> {
    const oldest = Date.now() - keptDays * day;
    await this.#db.write(async (unit) => {
      // Daily news wait equally long for a server that sends mail.
      for (const table of ['notice', 'digest'])
        await unit.run(unit.table(table).where('at', '<', oldest).delete());
    });
  }
}

function shownOf(unit: PluginUnit, { accountId, which }: NoticeFilter) {
  const shown = unit
    .table('notice')
    .where({ account_id: accountId })
    .where((of) => void of.whereNull('hidden').orWhere({ hidden: false }));
  return which === 'unread' ? shown.whereNull('read_at') : shown;
}

const longestTitle = 120;

function detailOf({ title, reason, opens }: NewNotice): string | null {
  const detail: NoticeDetail = {
    ...(title !== undefined && { title: title.slice(0, longestTitle) }),
    ...(reason !== undefined && { reason }),
    ...(opens !== undefined && { opens }),
  };
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail);
}
