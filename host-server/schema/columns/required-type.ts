import type { RegistryView, TrellisError } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { schemaErrors } from '../schema-errors.ts';

/** Returns the column type, or throws an error that tells the client why it is missing. */
export type RequireType = (type: string) => ServerColumnType;

export interface RequiredTypeDependencies {
  readonly columnTypes: RegistryView<ServerColumnType>;
  /** All plugins, including those that are off: their manifests list the types that they bring. */
  readonly plugins: () => readonly PluginEntity[];
}

/**
 * Looks up the type of a new column.
 *
 * @throws TrellisError 503 `COLUMN_TYPE_STARTING` while the plugin of the type still starts, 409 `COLUMN_TYPE_OFF` when it does not run,
 *   400 `COLUMN_TYPE_UNKNOWN` for a type that no plugin of this server brings.
 */
export function createRequireType({ columnTypes, plugins }: RequiredTypeDependencies): RequireType {
  function absence(type: string): TrellisError {
    const plugin = plugins().find(({ contributes }) => contributes.columnTypes?.includes(type));
    if (plugin === undefined) return schemaErrors.create('COLUMN_TYPE_UNKNOWN', { type });
    const code = plugin.state === 'starting' ? 'COLUMN_TYPE_STARTING' : 'COLUMN_TYPE_OFF';
    return schemaErrors.create(code, { type, plugin: plugin.name });
  }

  return (type) => {
    const found = columnTypes.get(type);
    if (found === undefined) throw absence(type);
    return found;
  };
}
