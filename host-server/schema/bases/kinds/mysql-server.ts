import type { BaseKind } from '@trellis/sdk/server';
import { serverSettingsFrom } from './server-config.ts';
import { serverSettings, serverTarget } from './server-settings.ts';

/** A database of MySQL or MariaDB. */
export const mysqlServer: BaseKind = {
  id: 'mysql2',
  label: 'MySQL / MariaDB',
  aliases: ['mysql'],
  order: 20,
  settings: serverSettings({ port: 3306, user: 'root' }),
  // Some clients also send the database's name as a search path.
  fromConfig: (config) => serverSettingsFrom(config, ['searchPath']),
  target: (settings) => serverTarget('mysql', settings),
};
