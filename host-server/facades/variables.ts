import { defineErrors, type RegistryView } from '@trellis/core';
import type {
  AccessScope,
  SecretVariable,
  UsedVariables,
  Variables,
  VariableSource,
} from '@trellis/sdk/server';
import { variablesIn } from '@trellis/sdk/shared';
import type { AdapterCalls } from './adapter-calls.ts';
import { createMask } from './mask.ts';

const variableErrors = defineErrors({
  VARIABLE_UNKNOWN: { status: 400, message: "The variable '{name}' has no value here." },
});

const limit = 5000;
const nothing: UsedVariables = { env: {}, mask: (shown) => shown };

/** See `Variables`. */
export function createVariables(deps: {
  readonly sources: RegistryView<VariableSource>;
  readonly calls: AdapterCalls;
}): Variables {
  async function resolve(scope: AccessScope): Promise<ReadonlyMap<string, string | SecretVariable>> {
    const values = await Promise.all(
      deps.sources.entries().map(({ item, owner }) =>
        deps.calls.call({
          owner,
          what: `give the variables '${item.id}'`,
          limit,
          run: () => item.resolve(scope),
        }),
      ),
    );
    return new Map(values.flatMap((of) => Object.entries(of)));
  }

  return {
    resolve,
    async usedIn(settings, scope) {
      const names = variablesIn(settings);
      // A text without variables needs no plugin.
      if (names.length === 0) return nothing;
      const values = await resolve(scope);
      const used = names.map((name) => {
        const value = values.get(name);
        if (value === undefined) throw variableErrors.create('VARIABLE_UNKNOWN', { name });
        // Decrypts a secret once: it may be expensive, and a failure is an error of this message only.
        return {
          name,
          ...(typeof value === 'string'
            ? { text: value, hidden: [] }
            : { text: value.secret, hidden: [value.secret, ...(value.former ?? [])] }),
        };
      });
      return {
        env: Object.fromEntries(used.map(({ name, text }) => [name, text])),
        mask: createMask(used.flatMap(({ hidden }) => hidden)),
      };
    },
  };
}
