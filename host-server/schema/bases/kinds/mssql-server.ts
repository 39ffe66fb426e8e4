import type { BaseKind } from '@trellis/sdk/server';
import { objectAt, onlyKeys, refused } from './config-keys.ts';
import { serverSettingsFrom } from './server-config.ts';
import { serverSettings, serverTarget, type TlsMode } from './server-settings.ts';

/** What clients of SQL Server say of the encryption; the certificate is checked unless they say otherwise. */
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
    // The driver checks the name together with the certificate, or neither.
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
      // Of what is said for all drivers alike, a checked certificate is one whose host is checked, too.
      ...(tls !== undefined && { tls: tls === 'authority' ? 'identity' : tls }),
      ...encryptionFrom({ encrypt, trustServerCertificate, ...more }),
      ...(schema !== undefined && schema !== null && { schema }),
    };
  },
  target: (settings) => serverTarget('mssql', settings),
};
