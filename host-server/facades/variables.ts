import { defineErrors, type RegistryView } from '@trellis/core';
import type { AccessScope, Variables, VariableSource } from '@trellis/sdk/server';
import type { AdapterCalls } from './adapter-calls.ts';

const variableErrors = defineErrors({
  VARIABLE_UNKNOWN: { status: 400, message: "The variable '{name}' has no value here." },
});

const limit = 5000;
const placeholder = /\{\{\s*([\w.-]{1,100})\s*\}\}/g;

/** See `Variables`. */
export function createVariables(deps: {
  readonly sources: RegistryView<VariableSource>;
  readonly calls: AdapterCalls;
}): Variables {
  async function resolve(scope: AccessScope): Promise<ReadonlyMap<string, string>> {
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
    async fill(text, scope) {
      // What holds no variable waits for no plugin.
      if (!text.includes('{{')) return text;
      const values = await resolve(scope);
      return text.replace(placeholder, (_, name: string) => {
        const value = values.get(name);
        if (value === undefined) throw variableErrors.create('VARIABLE_UNKNOWN', { name });
        return value;
      });
    },
  };
}
