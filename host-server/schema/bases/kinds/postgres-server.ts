import type { BaseKind } from '@trellis/sdk/server';
import { serverSettingsFrom } from './server-config.ts';
import { serverSettings, serverTarget } from './server-settings.ts';

/** A PostgreSQL database, or a server with the same protocol and catalogue. */
export const postgresServer: BaseKind = {
  id: 'pg',
  label: 'PostgreSQL',
  order: 10,
  settings: serverSettings({
    port: 5432,
    user: 'postgres',
    properties: {
      schema: {
        type: 'string',
        title: 'Schema',
        minLength: 1,
        maxLength: 63,
        default: 'public',
        'x-ui': { order: 6 },
      },
    },
  }),
  fromConfig(config) {
    const { searchPath } = config;
    const schema: unknown = Array.isArray(searchPath) ? searchPath[0] : searchPath;
    return {
      ...serverSettingsFrom(config, ['searchPath']),
      ...(schema !== undefined && schema !== null && { schema }),
    };
  },
  target: (settings) => serverTarget('postgres', settings),
};
