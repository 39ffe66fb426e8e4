import type { BaseKind } from '@trellis/sdk/server';
import { objectAt, onlyKeys, refused } from './config-keys.ts';
import { serverSettingsFrom } from './server-config.ts';
import { serverSettings, serverTarget, type TlsMode } from './server-settings.ts';

/** Reads the encryption options of SQL Server clients. The certificate is checked unless they say otherwise. */
function encryptionFrom(options: Readonly<Record<string, unknown>>): { readonly tls?: TlsMode } {
  const { encrypt, trustServerCertificate: isTrusted } = options;
  for (const [key, value] of Object.entries({ encrypt, trustServerCertificate: isTrusted }))
    if (value !== undefined && typeof value !== 'boolean') throw refused(key);
  if (encrypt === undefined && isTrusted === undefined) return {};
  if (encrypt === false) return { tls: 'none' };
  return { tls: isTrusted === true ? 'encrypt' : 'identity' };
}

/** A database of SQL Server. */
export const mssqlServer: BaseKind = {
  id: 'mssql',
  label: 'SQL Server',
  order: 40,
  settings: serverSettings({
    port: 1433,
    user: 'sa',
    longestName: 128,
    // The driver checks both certificate and host name, or neither.
    tls: ['encrypt', 'identity', 'none'],
    properties: {
      schema: {
        type: 'string',
        title: 'Schema',
        minLength: 1,
        maxLength: 128,
        default: 'dbo',
        'x-ui': { order: 6 },
      },
    },
  }),
  fromConfig(config) {
    const { options, encrypt, trustServerCertificate, ...connection } = objectAt(config, 'connection');
    const more = objectAt({ options }, 'options');
    onlyKeys(more, ['encrypt', 'trustServerCertificate']);
    const { searchPath } = config;
    const schema: unknown = Array.isArray(searchPath) ? searchPath[0] : searchPath;
    const { tls, ...settings } = serverSettingsFrom({ ...config, connection }, ['searchPath']);
    return {
      ...settings,
      // A checked certificate from the options for all drivers means `identity` here, since the driver checks the host name with it.
      ...(tls !== undefined && { tls: tls === 'authority' ? 'identity' : tls }),
      ...encryptionFrom({ encrypt, trustServerCertificate, ...more }),
      ...(schema !== undefined && schema !== null && { schema }),
    };
  },
  target: (settings) => serverTarget('mssql', settings),
};
