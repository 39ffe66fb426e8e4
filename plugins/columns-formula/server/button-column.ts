import type { ColumnSchema, Operation, ServerColumnType } from '@trellis/sdk/server';
import { defineErrors, type RegistryView } from '@trellis/sdk/shared';
import { button, type ButtonOptions } from '../shared/index.ts';

const errors = defineErrors({
  BUTTON_OPERATION: { status: 400, message: "'{operation}' is nothing that a button can do." },
  BUTTON_CHOICE: {
    status: 400,
    message: 'Please choose what the button works with: nothing is chosen, or it is not there for you.',
  },
});

/** The stored options of a button column, with defaults. */
export function buttonOptions(meta: ColumnSchema['meta']): ButtonOptions {
  return { ...button.options?.defaults, ...meta } as ButtonOptions;
}

/** The server part of buttons: a link's address is a formula, parsed and computed by the formula column. */
export function createButtonColumn(
  formula: ServerColumnType,
  operations: RegistryView<Operation>,
): ServerColumnType {
  const { resolveOptions, compute, optionsWithout, optionsMoved } = formula.server ?? {};
  const type: ServerColumnType = {
    // Values are texts; the registry holds types of every value.
    ...(button as unknown as ServerColumnType),
    server: {
      ...(optionsWithout && { optionsWithout }),
      ...(optionsMoved && { optionsMoved }),
      async resolveOptions(meta, place) {
        const options = buttonOptions({ ...place.column?.meta, ...meta });
        const { action, operation, choice } = options;
        if (action === 'link')
          return resolveOptions?.({ ...options, operation: '', choice: '' }, place) ?? options;
        const act = operations.get(operation)?.button;
        const kept = buttonOptions(place.column?.meta);
        const isKept = kept.operation === operation;
        // An operation whose plugin is off stays chosen.
        if (operation === '' || (!isKept && !place.isRestored && act === undefined))
          throw errors.create('BUTTON_OPERATION', { operation });
        const set = { ...options, formula: '', gone: {} };
        if (act !== undefined && act.choices === undefined) return { ...set, choice: '' };
        // A choice of somebody else stays when another person changes the colour.
        if (isKept && kept.choice === choice) return set;
        const choices = (await act?.choices?.list(place.scope, place.table.id)) ?? [];
        if (choices.some(({ id }) => id === choice)) return set;
        if (place.isRestored) return { ...set, choice: '' };
        throw errors.create('BUTTON_CHOICE');
      },
      compute: (column, snapshot) =>
        buttonOptions(column.meta).action === 'link'
          ? compute?.(column, snapshot)
          : { kind: 'literal', value: null, storage: 'text' },
    },
  };
  return type;
}
