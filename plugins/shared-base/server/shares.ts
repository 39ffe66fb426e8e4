import { randomUUID } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { SharedRole } from '../shared/index.ts';

/** A project that is open to anybody with its id. */
export interface Share {
  readonly projectId: string;
  /** 122 random bits, which give access to the project. */
  readonly uuid: string;
  readonly role: SharedRole;
  /** The sites that may show the project in a frame: origins, or `*` for any; empty for none. */
  readonly embedSites: readonly string[];
}

/** The changes; absent properties stay unchanged. */
export type SharePatch = Partial<Pick<Share, 'role' | 'embedSites'>>;

interface ShareRow {
  readonly project_id: string;
  readonly uuid: string;
  readonly role: SharedRole;
  readonly embed_sites: string | null;
}

function toShare({ project_id: projectId, uuid, role, embed_sites: sites }: ShareRow): Share {
  return {
    projectId,
    uuid,
    role,
    embedSites: sites === null ? [] : (JSON.parse(sites) as readonly string[]),
  };
}

function toRow({ role, embedSites }: SharePatch): Readonly<Record<string, string>> {
  return {
    ...(role !== undefined && { role }),
    ...(embedSites !== undefined && { embed_sites: JSON.stringify(embedSites) }),
  };
}

/** The open projects, each with at most one id. */
export class Shares {
  readonly #db: PluginDatabase;
  readonly #didChange: (unit: PluginUnit) => Promise<void>;

  /** @param didChange runs in the transaction of every change. */
  constructor(db: PluginDatabase, didChange: (unit: PluginUnit) => Promise<void>) {
    this.#db = db;
    this.#didChange = didChange;
  }

  of(projectId: string): Promise<Share | undefined> {
    return this.#find({ project_id: projectId });
  }

  byUuid(uuid: string): Promise<Share | undefined> {
    return this.#find({ uuid });
  }

  async #find(where: Readonly<Record<string, string>>): Promise<Share | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<ShareRow>(
        unit.table('share').where(where).select('project_id', 'uuid', 'role', 'embed_sites'),
      ),
    );
    return row && toShare(row);
  }

  /** Opens the project with a new id; a former one becomes invalid. */
  async open(projectId: string, of: Pick<Share, 'role' | 'embedSites'>): Promise<Share> {
    const share: Share = { projectId, uuid: randomUUID(), ...of };
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('share').where({ project_id: projectId }).delete());
      await unit.run(
        unit.table('share').insert({
          project_id: projectId,
          uuid: share.uuid,
          created_at: Date.now(),
          ...toRow(of),
        }),
      );
      await this.#didChange(unit);
    });
    return share;
  }

  /** False if the project is not open. */
  async change(projectId: string, patch: SharePatch): Promise<boolean> {
    const row = toRow(patch);
    if (Object.keys(row).length === 0) return (await this.of(projectId)) !== undefined;
    return this.#db.write(async (unit) => {
      const changes = await unit.run(unit.table('share').where({ project_id: projectId }).update(row));
      await this.#didChange(unit);
      return changes > 0;
    });
  }

  async close(projectId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('share').where({ project_id: projectId }).delete());
      await this.#didChange(unit);
    });
  }
}
