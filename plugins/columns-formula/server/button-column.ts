import type { ColumnSchema, Operation, ServerColumnType } from '@trellis/sdk/server';
import { defineErrors, type RegistryView } from '@trellis/sdk/shared';
import { button, type ButtonOptions } from '../shared/index.ts';

const errors = defineErrors({
  BUTTON_OPERATION: { status: 400, message: "'{operation}' is nothing that a button can do." },
});

/** What a button column keeps, with what it leaves out. */
export function buttonOptions(meta: ColumnSchema['meta']): ButtonOptions {
  return { ...button.options?.defaults, ...meta } as ButtonOptions;
}

/** The server's part of buttons: the address of a link is a formula, read and computed by the formula column. */
export function createButtonColumn(
  formula: ServerColumnType,
  operations: RegistryView<Operation>,
): ServerColumnType {
  const { resolveOptions, compute, optionsWithout } = formula.server ?? {};
  const type: ServerColumnType = {
    // Values are texts; the registry holds types of every value.
    ...(button as unknown as ServerColumnType),
    server: {
      ...(optionsWithout && { optionsWithout }),
      resolveOptions(meta, place) {
        const options = buttonOptions({ ...place.column?.meta, ...meta });
        const { action, operation } = options;
        if (action === 'link') return resolveOptions?.({ ...options, operation: '' }, place) ?? options;
        const isKept = place.column?.meta?.['operation'] === operation;
        // An operation whose plugin is off stays where it was chosen.
        if (operation === '' || (!isKept && operations.get(operation)?.button === undefined))
          throw errors.create('BUTTON_OPERATION', { operation });
        return { ...options, formula: '', gone: {} };
      },
      compute: (column, snapshot) =>
        buttonOptions(column.meta).action === 'link'
          ? compute?.(column, snapshot)
          : { kind: 'literal', value: null, storage: 'text' },
    },
  };
  return type;
}
