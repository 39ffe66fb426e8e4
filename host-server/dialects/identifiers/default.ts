import type { Knex } from 'knex';

/** Writes names of tables and columns for SQL. */
export interface Identifiers {
  /** Quotes a name for SQL that is run as it is (schema changes). Throws for names that no database can have. */
  quote(name: string): string;
  /**
   * The form of a name that is safe wherever knex takes an identifier. knex splits names at `.` and ` as ` and trims them; this
   * form keeps the name whole until `wrap` writes it.
   */
  knexName(name: string): string;
  /** As `quote`, for the name of a table, with its schema if the dialect has one. */
  table(name: string): string;
  /** As `knexName`, for the name of a table. */
  knexTable(name: string): string;
  /** A raw reference to `path` (table and column, or one of them), for places that take raw SQL. */
  ref(knex: Knex, ...path: readonly string[]): Knex.Raw;
  /** For knex's `wrapIdentifier`: the quoted form of one name that knex hands over. */
  wrap(name: string): string;
}

/** The most quoted names to keep; every statement quotes the same few. */
const mostRemembered = 10_000;
const PLAIN = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const CODED = /^trellis~(t?)([0-9a-f]+)$/;

/**
 * Builds the topic from the quote character (or the pair of them) and the most bytes of a name.
 *
 * @param schema the schema of tables, for databases where a connection cannot set it once
 */
export function createIdentifiers(marks: '"' | '`' | '[]', maxBytes: number, schema?: string): Identifiers {
  const [opening = '', mark = opening] = marks;
  const quotes = new Map<string, string>();

  function quote(name: string): string {
    const known = quotes.get(name);
    if (known !== undefined) return known;
    assertName(name, maxBytes);
    const made = opening + name.replaceAll(mark, mark + mark) + mark;
    if (quotes.size >= mostRemembered) quotes.clear();
    quotes.set(name, made);
    return made;
  }

  function quoteForKnex(name: string): string {
    return quote(name).replaceAll('?', '\\?');
  }

  function knexName(name: string): string {
    assertName(name, maxBytes);
    return PLAIN.test(name) && name !== '__proto__' ? name : `trellis~${encode(name)}`;
  }

  function table(name: string): string {
    return schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`;
  }

  return {
    quote,
    knexName,
    table,
    knexTable(name) {
      assertName(name, maxBytes);
      return schema === undefined ? knexName(name) : `trellis~t${encode(name)}`;
    },
    ref(knex, ...path) {
      return knex.raw(path.map(quoteForKnex).join('.'));
    },
    wrap(name) {
      if (name === '*') return name;
      const [, isTable, coded] = CODED.exec(name) ?? [];
      if (coded === undefined) return quoteForKnex(name);
      return isTable === 't' ? table(decode(coded)).replaceAll('?', '\\?') : quoteForKnex(decode(coded));
    },
  };
}

function assertName(name: string, maxBytes: number): void {
  if (name === '') throw new TypeError('A table or column name is empty');
  if (name.includes('\0'))
    throw new TypeError('A table or column name holds a NUL character; rename it in the database');
  if (name.includes('\\?')) {
    throw new TypeError(
      `The name '${name}' holds a backslash before a question mark; rename it in the database`,
    );
  }
  if (new TextEncoder().encode(name).length > maxBytes) {
    throw new TypeError(
      `The name '${name}' is longer than the ${maxBytes} bytes that the database keeps; shorten it`,
    );
  }
}

function encode(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function decode(hex: string): string {
  const bytes = hex.match(/../g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}
