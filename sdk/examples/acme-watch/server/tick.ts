import {
  RowStoreToken,
  SchemaStoreToken,
  type ButtonPress,
  type Operation,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';

const errors = defineErrors({
  TICK_BOX_GONE: {
    status: 404,
    message:
      'The box that this button ticks is not there any more. Please choose another one for the button.',
  },
  TICK_NO_BOX: {
    status: 400,
    message: "The column '{box}' is not a checkbox any more. Please choose another one for the button.",
  },
});

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
      // Whoever presses is told: that a row stayed as it is looks like a button that does not work.
      if (box?.tableId !== tableId) throw errors.create('TICK_BOX_GONE');
      if (box.type !== 'Checkbox') throw errors.create('TICK_NO_BOX', { box: box.title });
      const table = await schema.open(scope, tableId);
      await ctx.get(RowStoreToken).update(table, rowKey, { [box.title]: true });
    },
  };
}
