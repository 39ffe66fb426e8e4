import {
  defineErrors,
  describeProblems,
  isExpected,
  recordErrorOrigin,
  validateSchema,
  type RegistryView,
} from '@trellis/core';
import type { Operation, Operations } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import type { OwnedWork } from '../runtime/owned-work.ts';

const operationErrors = defineErrors({
  PLUGIN_DISABLED: { status: 501, message: "This needs the plugin '{plugin}', which is switched off." },
  OPERATION_ABSENT: { status: 501, message: "No plugin of this server does '{operation}'." },
  INVALID_INPUT: { status: 400, message: "'{operation}' cannot work with this: {description}" },
});

/** See `Operations`. */
export function createOperations(deps: {
  readonly operations: RegistryView<Operation>;
  readonly work: () => OwnedWork;
  /** All plugins, those that are off too: their manifests say which operations they bring. */
  readonly plugins: () => readonly PluginEntity[];
}): Operations {
  function absence(operation: string): Error {
    const plugin = deps.plugins().find(({ contributes }) => contributes.operations?.includes(operation));
    return plugin === undefined
      ? operationErrors.create('OPERATION_ABSENT', { operation })
      : operationErrors.create('PLUGIN_DISABLED', { operation, plugin: plugin.name });
  }

  return {
    async run(id, { signal, ...call }) {
      const { scope, input } = call;
      const found = deps.operations.entries().find(({ item }) => item.id === id);
      if (found === undefined) throw absence(id);
      const { item, owner } = found;
      scope.require(item.permission);
      const problems = item.input === undefined ? [] : validateSchema(item.input, input);
      if (problems.length > 0) {
        const description = describeProblems(problems).replaceAll('\n', '; ');
        throw operationErrors.create('INVALID_INPUT', { operation: id, description });
      }
      const work = deps.work();
      try {
        return await work.run(owner, signal, (context) => item.run({ ...call, ...context }));
      } catch (error) {
        // Errors are charged to the plugin of the operation, not to its caller.
        const where = `operation ${id}`;
        if (!isExpected(error)) work.report(owner, where, error);
        recordErrorOrigin(error, { owner, where });
        throw error;
      }
    },
    list: (scope) =>
      deps.operations
        .list()
        .filter(({ permission }) => scope.may(permission))
        .map(({ id, summary }) => ({ id, summary })),
    choices: async (id, scope, tableId) =>
      (await deps.operations.get(id)?.button?.choices?.list(scope, tableId)) ?? [],
  };
}
