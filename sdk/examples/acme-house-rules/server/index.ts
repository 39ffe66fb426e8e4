import { defineServerPlugin, type RowInput } from '@trellis/sdk/server';
import { Veto } from '@trellis/sdk/shared';

interface Rules {
  readonly kept: readonly string[];
  readonly unwanted: readonly string[];
}

/** A row's cells, texts without blanks around them. */
function trimmed(cells: RowInput): RowInput {
  const entries = Object.entries(cells).map(([title, value]) => [
    title,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(entries);
}

/** A handler of a `will` hook returns what is done in place of what was asked for, or refuses by a `Veto`. */
export default defineServerPlugin<Rules>({
  setup(ctx) {
    const rules = () => ctx.settings.current;
    const isKept = (title: string) => rules().kept.includes(title);

    // Names without blanks around them.
    ctx.tap('tables.willCreate', (table) =>
      table.title === undefined ? table : { ...table, title: table.title.trim() },
    );
    ctx.tap('columns.willCreate', (column) =>
      column.title === undefined ? column : { ...column, title: column.title.trim() },
    );

    // A table that stays, and its rows.
    ctx.tap('tables.willDelete', ({ table }) => {
      if (isKept(table.title)) throw new Veto('TABLE_STAYS', `'${table.title}' stays.`);
    });
    ctx.tap('rows.willDelete', (keys, { table }) => {
      if (isKept(table.title)) throw new Veto('ROWS_STAY', `Rows of '${table.title}' stay.`);
      return keys;
    });

    // Texts without blanks around them. The rows and their cells must be those that came; only values may be others.
    ctx.tap('rows.willCreate', (rows) => rows.map(trimmed));
    ctx.tap('rows.willUpdate', (changes) =>
      changes.map(({ key, values }) => ({ key, values: trimmed(values) })),
    );

    ctx.tap('plugins.willEnable', ({ id }) => {
      if (rules().unwanted.includes(id)) throw new Veto('PLUGIN_UNWANTED', `Nobody wants '${id}' here.`);
    });

    // What has happened cannot be refused any more: these need no consent in the manifest.
    ctx.tap('projects.didCreate', async ({ project }) => {
      await ctx.kv.set(`made ${project.id}`, project.title);
    });
    ctx.tap('schema.didChange', async ({ projectId, tableId }) => {
      if (tableId !== undefined) await ctx.kv.set(`changed ${projectId}`, tableId);
    });
    ctx.tap('plugins.didChange', ({ id, state }) => ctx.logger.info('A plugin changed', { id, state }));
  },
});
