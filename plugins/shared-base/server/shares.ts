import { randomUUID } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { SharedRole } from '../shared/index.ts';

/** A project that is open to whoever has the id. */
export interface Share {
  readonly projectId: string;
  /** 122 random bits: whoever has it has the project. */
  readonly uuid: string;
  readonly role: SharedRole;
}

interface ShareRow {
  readonly project_id: string;
  readonly uuid: string;
  readonly role: SharedRole;
}

function toShare({ project_id: projectId, uuid, role }: ShareRow): Share {
  return { projectId, uuid, role };
}

/** Which projects are open; one id for each at the most. */
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
      unit.first<ShareRow>(unit.table('share').where(where).select('project_id', 'uuid', 'role')),
    );
    return row && toShare(row);
  }

  /** Opens the project under a new id; the former one, if there was any, is worth nothing from then on. */
  async open(projectId: string, role: SharedRole): Promise<Share> {
    const share: Share = { projectId, uuid: randomUUID(), role };
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('share').where({ project_id: projectId }).delete());
      await unit.run(
        unit.table('share').insert({ project_id: projectId, uuid: share.uuid, role, created_at: Date.now() }),
      );
      await this.#didChange(unit);
    });
    return share;
  }

  /** False where the project is not open. */
  async setRole(projectId: string, role: SharedRole): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const changes = await unit.run(unit.table('share').where({ project_id: projectId }).update({ role }));
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
