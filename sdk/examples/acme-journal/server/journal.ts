import type { PluginDatabase, PluginMigration } from '@trellis/sdk/server';

const text = { kind: 'string', length: 40, required: true } as const;

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-day',
    up: (schema) =>
      schema.createTable('day', {
        columns: { project_id: text, day: text, changes: { kind: 'integer', required: true } },
        key: ['project_id', 'day'],
        indexes: [['day']],
      }),
  },
];

/** The changes of a project on a day, such as `2026-11-28`. */
export interface JournalDay {
  readonly day: string;
  readonly changes: number;
}

/** Counts changes by project and day, in a table of its own. */
export class Journal {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async add(projectId: string, day: string, changes: number): Promise<void> {
    // Two servers may count for the first time on the same day: the key decides, and the one that came too late counts again.
    await this.#db.writeKey(async (unit) => {
      const own = unit.table('day').where({ project_id: projectId, day });
      if ((await unit.run(own.increment('changes', changes))) === 0)
        await unit.run(unit.table('day').insert({ project_id: projectId, day, changes }));
    });
  }

  /** The newest first. */
  async ofProject(projectId: string): Promise<readonly JournalDay[]> {
    return this.#db.read((unit) =>
      unit.all<JournalDay>(
        unit.table('day').select('day', 'changes').where({ project_id: projectId }).orderBy('day', 'desc'),
      ),
    );
  }

  /** Forgets the days before one. */
  async forgetBefore(day: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('day').where('day', '<', day).delete()));
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('day').where({ project_id: projectId }).delete()));
  }
}
