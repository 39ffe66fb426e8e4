import type { DatabaseTarget, ServerTarget } from '../database.ts';

const SERVERS: Readonly<Record<string, { readonly kind: ServerTarget['kind']; readonly port: number }>> = {
  'postgres:': { kind: 'postgres', port: 5432 },
  'postgresql:': { kind: 'postgres', port: 5432 },
  'mysql:': { kind: 'mysql', port: 3306 },
  'mariadb:': { kind: 'mysql', port: 3306 },
  'mssql:': { kind: 'mssql', port: 1433 },
};

const OPTIONS = new Set(['sslmode', 'ssl', 'pool', 'connect_timeout']);

/**
 * Reads `sqlite:/path`, `postgres://…`, `mysql://…`, `mariadb://…` or `mssql://…`. Options of a server: `sslmode`, `pool` (the most
 * connections) and, named as in libpq, `connect_timeout` (seconds to open a connection). Its errors never repeat the address, which
 * may hold a password.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const trimmed = text.trim();
  if (/^sqlite3?:/i.test(trimmed)) {
    const file = trimmed.replace(/^sqlite3?:(\/\/)?/i, '');
    if (file === '') throw new TypeError('The database address names no file; write sqlite:/path/to/file.db');
    return { kind: 'sqlite', file: decodeURIComponent(file), create: true };
  }
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    // The parser's own error would repeat the address.
    throw new TypeError(
      'The database address cannot be read; write it as postgres://user:password@host:5432/database',
    );
  }
  const server = SERVERS[url.protocol];
  if (server === undefined) {
    throw new TypeError('The database address must begin with sqlite:, postgres://, mysql:// or mariadb://');
  }
  const database = decodeURIComponent(url.pathname.replace(/^\//, ''));
  if (url.hostname === '') throw new TypeError('The database address names no host');
  for (const option of url.searchParams.keys()) {
    if (!OPTIONS.has(option)) {
      throw new TypeError(
        `The database address has the unknown option '${option}'; known are ${[...OPTIONS].join(', ')}`,
      );
    }
  }
  const password = decodeURIComponent(url.password);
  const most = countOf(url.searchParams, 'pool', 999);
  const openSeconds = countOf(url.searchParams, 'connect_timeout', 300);
  return {
    kind: server.kind,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? server.port : Number(url.port),
    user: decodeURIComponent(url.username),
    ...(password === '' ? {} : { password }),
    database,
    ...tlsOf(url.searchParams),
    ...(most !== undefined && { pool: { max: most } }),
    ...(openSeconds !== undefined && { openMs: openSeconds * 1000 }),
  };
}

/** The option as a whole number from 1 to `most`; undefined if the address does not name it. */
function countOf(options: URLSearchParams, name: string, most: number): number | undefined {
  const text = options.get(name);
  if (text === null) return undefined;
  const count = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Infinity;
  if (count > most) throw new TypeError(`The option '${name}' must be a number from 1 to ${most}`);
  return count;
}

/** Like `parseDatabaseUrl`, for the metadata database, which cannot be on SQL Server. */
export function parseMetadataUrl(text: string): DatabaseTarget {
  const target = parseDatabaseUrl(text);
  if (target.kind === 'mssql')
    throw new TypeError(
      'SQL Server is for existing databases; the database address must begin with sqlite:, postgres://, mysql:// or mariadb://',
    );
  return target;
}

function tlsOf(options: URLSearchParams): Pick<ServerTarget, 'tls'> {
  const mode = options.get('sslmode') ?? options.get('ssl');
  switch (mode) {
    case null:
    case 'disable':
    case 'false':
      return {};
    case 'require':
    case 'no-verify':
      return { tls: { rejectUnauthorized: false } };
    case 'true':
    case 'verify-ca':
    case 'verify-full':
      return { tls: true };
    default:
      throw new TypeError("The option 'sslmode' must be disable, require or verify-full");
  }
}
