import type { BaseSettings } from '@trellis/sdk/server';
import { given, objectAt, onlyKeys, refused } from './config-keys.ts';

type Config = Readonly<Record<string, unknown>>;

const plainKeys = ['host', 'user', 'password', 'database', 'connections'];
/** The drivers' names for the connection timeout in milliseconds, and for the name that a server shows for a connection. */
const timeKeys = ['connectTimeout', 'connectionTimeout', 'connectionTimeoutMillis'];
const nameKeys = ['application_name', 'appName'];
const hardModes: Readonly<Record<string, string>> = {
  true: 'encrypt',
  false: 'none',
  '': 'none',
  'verify-ca': 'authority',
  'verify-full': 'identity',
};

/**
 * Reads the settings of a server from the config that clients of the v1 API send.
 *
 * @throws TrellisError 400 `DATABASE_PARAMETER` for an unknown key.
 */
export function serverSettingsFrom(config: Config, more: readonly string[] = []): BaseSettings {
  onlyKeys(config, ['client', 'connection', 'meta', 'readOnly', 'schemaChanges', 'createDatabase', ...more]);
  const connection = objectAt(config, 'connection');
  onlyKeys(connection, [...plainKeys, 'port', 'ssl', ...timeKeys, ...nameKeys]);
  const { ssl, port } = connection;
  return given({
    ...Object.fromEntries(plainKeys.map((key) => [key, connection[key]])),
    // Clients send it as text.
    port: typeof port === 'string' && /^\d{1,5}$/.test(port) ? Number(port) : port,
    connectSeconds: secondsOf(firstOf(connection, timeKeys)),
    applicationName: firstOf(connection, nameKeys),
    ...tlsFrom(ssl),
    readOnly: config.readOnly,
    schemaChanges: config.schemaChanges,
    createDatabase: config.createDatabase,
  });
}

function firstOf(connection: Config, keys: readonly string[]): unknown {
  return keys.map((key) => connection[key]).find((value) => value !== undefined && value !== null);
}

/** Milliseconds as whole seconds. Values that are no numbers are passed on to the check of the settings. */
function secondsOf(milliseconds: unknown): unknown {
  return typeof milliseconds === 'number' ? Math.ceil(milliseconds / 1000) : milliseconds;
}

/** Reads `true`, `"true"`, or certificates, which are checked unless the client says otherwise. */
function tlsFrom(ssl: unknown): BaseSettings {
  if (ssl === undefined || ssl === null) return {};
  if (typeof ssl !== 'object') {
    const mode = typeof ssl === 'boolean' || typeof ssl === 'string' ? hardModes[`${ssl}`] : undefined;
    if (mode === undefined) throw refused('ssl');
    return { tls: mode };
  }
  const material = objectAt({ ssl }, 'ssl');
  onlyKeys(material, ['ca', 'cert', 'key', 'rejectUnauthorized']);
  const { ca, cert, key, rejectUnauthorized } = material;
  return { tls: rejectUnauthorized === false ? 'encrypt' : 'authority', ...given({ ca, cert, key }) };
}
