import {
  RowStoreToken,
  SchemaStoreToken,
  type ButtonPress,
  type Operation,
  type ServerPluginContext,
} from '@trellis/sdk/server';

/** Ticks a box of the row that a button stands in. Which box, says whoever makes the button. */
export function tick(ctx: ServerPluginContext): Operation {
  const schema = ctx.get(SchemaStoreToken);
  return {
    id: 'acmeTick',
    summary: 'Tick a box of a row',
    permission: 'dataUpdate',
    button: {
      label: 'Tick a box',
      needsButton: true,
      choices: {
        label: 'Box',
        async list(scope, tableId) {
          const columns = (await schema.snapshot(scope)).tables.get(tableId)?.columns ?? [];
          const boxes = columns.filter(({ type }) => type === 'Checkbox');
          return boxes.map(({ id, title }) => ({ id, label: title }));
        },
      },
    },
    async run({ input, scope }) {
      const { tableId, rowKey, choice } = input as ButtonPress;
      const box = (await schema.snapshot(scope)).column(choice);
      const table = await schema.open(scope, tableId);
      if (box !== undefined) await ctx.get(RowStoreToken).update(table, rowKey, { [box.title]: true });
    },
  };
}
