import type { PluginDatabase, PluginMigration } from '@trellis/sdk/server';

const id = { kind: 'string', length: 40, required: true } as const;

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-note',
    up: (schema) =>
      schema.createTable('note', {
        columns: { table_id: id, project_id: id, text: { kind: 'text', required: true } },
        key: ['table_id'],
        indexes: [['project_id']],
      }),
  },
];

/** Notes by the ids of their tables, in a table of the plugin's own. */
export class NoteStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** The ids of the tables of a project that have a note. */
  async tablesOf(projectId: string): Promise<readonly string[]> {
    const notes = await this.#db.read((unit) =>
      unit.all<{ table_id: string }>(unit.table('note').select('table_id').where({ project_id: projectId })),
    );
    return notes.map((note) => note.table_id);
  }

  async textOf(tableId: string): Promise<string> {
    const note = await this.#db.read((unit) =>
      unit.first<{ text: string }>(unit.table('note').select('text').where({ table_id: tableId })),
    );
    return note?.text ?? '';
  }

  /** Replaces a table's note; an empty text removes it. */
  async write(projectId: string, tableId: string, text: string): Promise<void> {
    // Two people may write the first note at once: the key decides, and the work runs again for whoever came too late.
    await this.#db.writeKey(async (unit) => {
      await unit.run(unit.table('note').where({ table_id: tableId }).delete());
      if (text !== '')
        await unit.run(unit.table('note').insert({ table_id: tableId, project_id: projectId, text }));
    });
  }

  async forget(of: { readonly table_id: string } | { readonly project_id: string }): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('note').where(of).delete()));
  }
}
