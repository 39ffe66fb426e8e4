import type { RegistryView, TrellisError } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { schemaErrors } from '../schema-errors.ts';

/** Answers the column type, or throws what tells a client why there is none. */
export type RequireType = (type: string) => ServerColumnType;

export interface RequiredTypeDependencies {
  readonly columnTypes: RegistryView<ServerColumnType>;
  /** All plugins, those that are off too: their manifests say which types they bring. */
  readonly plugins: () => readonly PluginEntity[];
}

/**
 * Looks up the type of a column that is to be made.
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
