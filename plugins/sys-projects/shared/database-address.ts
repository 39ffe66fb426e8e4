import { withoutUndefined } from '@trellis/sdk/shared';

/** How a connection is encrypted, with the values of the servers' settings. */
type AddressTls = 'none' | 'encrypt' | 'authority' | 'identity';

/** The parts of a database address. */
export interface DatabaseAddress {
  /** The id of a base kind. */
  readonly type: 'pg' | 'mysql2' | 'mssql';
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly schema?: string;
  readonly tls?: AddressTls;
}

const types: Readonly<Record<string, DatabaseAddress['type']>> = {
  pg: 'pg',
  postgres: 'pg',
  postgresql: 'pg',
  mysql: 'mysql2',
  mysql2: 'mysql2',
  mariadb: 'mysql2',
  mssql: 'mssql',
  sqlserver: 'mssql',
};

const schemeShape = /^(?:jdbc:)?([a-z0-9]+):\/\/(.+)$/is;
/** `user:password@host:port/database`. Passwords are often pasted unencoded, so the last `@` ends them. */
const placeShape =
  /^(?:([^:/@]*)(?::(.*))?@)?(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?(?:\/([^#]*))?$/is;

/** The spellings in the drivers' addresses, in lower case. */
const tlsByWord: Readonly<Record<string, AddressTls>> = {
  false: 'none',
  disable: 'none',
  disabled: 'none',
  true: 'encrypt',
  require: 'encrypt',
  required: 'encrypt',
  'verify-ca': 'authority',
  'verify-full': 'identity',
  'verify-identity': 'identity',
};

/**
 * Parses the address of a database, as shown by providers and accepted by drivers:
 * `postgres://ada:secret@db.example.com/shop?sslmode=require`, `jdbc:mysql://…`, `jdbc:sqlserver://host:1433;databaseName=shop`, or
 * `pg://host:5432?u=ada&p=secret&d=shop`. Undefined for anything else.
 */
export function readDatabaseAddress(text: string): DatabaseAddress | undefined {
  const [, scheme = '', rest = ''] = schemeShape.exec(text.trim()) ?? [];
  const type = Object.hasOwn(types, scheme.toLowerCase()) ? types[scheme.toLowerCase()] : undefined;
  if (type === undefined) return undefined;
  // Addresses of SQL Server have their parameters after semicolons instead of a question mark.
  const [place, said] = splitAt(rest, type === 'mssql' && rest.includes(';') ? ';' : '?');
  const [, user = '', password = '', host = '', port, database = ''] = placeShape.exec(place) ?? [];
  if (host === '') return undefined;
  const parameters: ReadonlyMap<string, string> = new Map(said.map(nameAndValue));
  const first = (...values: readonly (string | undefined)[]) => values.find((value) => value);
  return withoutUndefined({
    type,
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: port === undefined ? undefined : Number(port),
    user: first(decoded(user), parameters.get('user'), parameters.get('u')),
    password: first(decoded(password), parameters.get('password'), parameters.get('p')),
    database: first(
      decoded(database),
      parameters.get('databasename'),
      parameters.get('database'),
      parameters.get('d'),
    ),
    schema: type === 'mysql2' ? undefined : first(parameters.get('currentschema'), parameters.get('schema')),
    tls: type === 'mssql' ? encryptionOf(parameters) : tlsOf(parameters),
  });
}

/**
 * The place of the database, and the parameters. A plus stays a plus: drivers write it in passwords, and the address was not
 * written by a form.
 */
function splitAt(rest: string, mark: ';' | '?'): readonly [place: string, said: readonly string[]] {
  const at = rest.indexOf(mark);
  if (at < 0) return [rest, []];
  const said = rest.slice(at + 1);
  return [rest.slice(0, at), mark === ';' ? said.split(';') : said.split('&').map(decoded)];
}

/** From `name=value`; the value may contain further `=`. */
function nameAndValue(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [name.trim().toLowerCase(), value.join('=')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A literal percent sign.
    return text;
  }
}

function tlsOf(parameters: ReadonlyMap<string, string>): AddressTls | undefined {
  const word = ['sslmode', 'ssl-mode', 'ssl', 'usessl']
    .map((name) => parameters.get(name)?.toLowerCase().replaceAll('_', '-'))
    .find((value) => value !== undefined && Object.hasOwn(tlsByWord, value));
  return word === undefined ? undefined : tlsByWord[word];
}

/** SQL Server's driver checks the certificate together with its name, or neither. */
function encryptionOf(parameters: ReadonlyMap<string, string>): AddressTls | undefined {
  const encrypt = parameters.get('encrypt')?.toLowerCase();
  if (encrypt === 'false' || encrypt === 'optional') return 'none';
  const isTrusted = parameters.get('trustservercertificate')?.toLowerCase() === 'true';
  if (encrypt === undefined && !isTrusted) return undefined;
  return isTrusted ? 'encrypt' : 'identity';
}
