import { randomUUID } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { withoutUndefined } from '@trellis/sdk/shared';

/** A view that is open to anybody with its link. */
export interface ViewLink {
  readonly viewId: string;
  readonly tableId: string;
  readonly projectId: string;
  /** 122 random bits, which give access to what the view shows. */
  readonly uuid: string;
  readonly passwordHash: string | undefined;
  /** UTC, milliseconds since 1970; undefined for a link that does not expire. */
  readonly expiresAt: number | undefined;
  /** The rights of visitors and the look of the page: `allowCSVDownload`, `allowSearch`, and further values of clients. */
  readonly meta: Readonly<Record<string, unknown>>;
}

interface LinkRow {
  readonly view_id: string;
  readonly table_id: string;
  readonly project_id: string;
  readonly uuid: string;
  readonly password_hash: string | null;
  readonly expires_at: string | number | null;
  readonly meta: string;
}

/** The changes; absent properties stay unchanged. */
export interface LinkPatch {
  readonly uuid?: string;
  readonly passwordHash?: string | null;
  readonly expiresAt?: number | null;
  readonly meta?: Readonly<Record<string, unknown>>;
}

function toLink(row: LinkRow): ViewLink {
  return {
    viewId: row.view_id,
    tableId: row.table_id,
    projectId: row.project_id,
    uuid: row.uuid,
    passwordHash: row.password_hash ?? undefined,
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    meta: JSON.parse(row.meta) as Readonly<Record<string, unknown>>,
  };
}

/** Whether a link has expired. */
export const isOver = ({ expiresAt = Infinity }: ViewLink): boolean => expiresAt <= Date.now();

/** The views with a link, at most one each. */
export class ViewLinks {
  readonly #db: PluginDatabase;
  readonly #didChange: (unit: PluginUnit) => Promise<void>;

  /** @param didChange runs in the transaction of every change. */
  constructor(db: PluginDatabase, didChange: (unit: PluginUnit) => Promise<void>) {
    this.#db = db;
    this.#didChange = didChange;
  }

  async find(where: Readonly<Record<string, string>>): Promise<readonly ViewLink[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<LinkRow>(unit.table('link').where(where).select().orderBy('created_at')),
    );
    return rows.map(toLink);
  }

  async ofView(viewId: string): Promise<ViewLink | undefined> {
    return (await this.find({ view_id: viewId }))[0];
  }

  async isOpen(viewId: string): Promise<boolean> {
    const link = await this.ofView(viewId);
    return link !== undefined && !isOver(link);
  }

  async byUuid(uuid: string): Promise<ViewLink | undefined> {
    return (await this.find({ uuid }))[0];
  }

  /** Opens a view; an open one keeps its link. */
  async open(
    of: Pick<ViewLink, 'viewId' | 'tableId' | 'projectId'>,
    meta: ViewLink['meta'],
  ): Promise<ViewLink | undefined> {
    await this.#db.write(async (unit) => {
      const known = await unit.first(unit.table('link').where({ view_id: of.viewId }).select('uuid'));
      if (known !== undefined) return;
      await unit.run(
        unit.table('link').insert({
          view_id: of.viewId,
          table_id: of.tableId,
          project_id: of.projectId,
          uuid: randomUUID(),
          meta: JSON.stringify(meta),
          created_at: Date.now(),
        }),
      );
      await this.#didChange(unit);
    });
    return this.ofView(of.viewId);
  }

  /**
   * @param patchOf the changes, computed from the current link: the second of two concurrent changes sees the result of the first
   *   one
   * @returns undefined if the view is not open
   */
  async change(viewId: string, patchOf: (now: ViewLink) => LinkPatch): Promise<ViewLink | undefined> {
    await this.#db.write(async (unit) => {
      const own = () => unit.table('link').where({ view_id: viewId });
      const row = await unit.first<LinkRow>(own().forUpdate());
      if (row === undefined) return;
      const { uuid, passwordHash, expiresAt, meta } = patchOf(toLink(row));
      const given = withoutUndefined({
        uuid,
        password_hash: passwordHash,
        expires_at: expiresAt,
        meta: meta && JSON.stringify(meta),
      });
      if (Object.keys(given).length === 0) return;
      await unit.run(own().update(given));
      await this.#didChange(unit);
    });
    return this.ofView(viewId);
  }

  async close(where: Readonly<Record<string, string>>): Promise<void> {
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('link').where(where).delete());
      await this.#didChange(unit);
    });
  }
}
