import type { DatabaseErrorKind } from '../../sql/database-error.ts';
import { createErrorReader, type DriverError, type ErrorReading } from './default.ts';

const KINDS: readonly (readonly [prefix: string, kind: DatabaseErrorKind])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_ROWID', 'unique'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'foreignKey'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'check'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'notNull'],
  ['SQLITE_CONSTRAINT_CHECK', 'check'],
  ['SQLITE_CONSTRAINT_DATATYPE', 'badValue'],
  ['SQLITE_CONSTRAINT', 'check'],
  ['SQLITE_MISMATCH', 'badValue'],
  ['SQLITE_TOOBIG', 'outOfRange'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_INTERRUPT', 'cancelled'],
  ['SQLITE_FULL', 'storageFull'],
  ['SQLITE_IOERR_WRITE', 'storageFull'],
  ['SQLITE_IOERR_SHMSIZE', 'storageFull'],
  ['SQLITE_READONLY', 'readOnly'],
  ['SQLITE_PERM', 'readOnly'],
  ['SQLITE_AUTH', 'readOnly'],
  ['SQLITE_CANTOPEN', 'unreachable'],
  ['SQLITE_IOERR', 'unreachable'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'notADatabase'],
];

export const sqliteErrors = createErrorReader(readSqliteError);

function readSqliteError(error: DriverError): ErrorReading | undefined {
  const { code, message } = error;
  if (code === undefined || !code.startsWith('SQLITE_')) return undefined;
  // SQLite reports the action `restrict` of a foreign key as a trigger.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && message === 'FOREIGN KEY constraint failed')
    return { kind: 'foreignKey' };
  const kind = KINDS.find(([prefix]) => code.startsWith(prefix))?.[1];
  if (kind !== undefined) return { kind, ...constraintNames(message) };
  if (/^no such table/.test(message)) return { kind: 'missingTable' };
  if (/^no such column|has no column named/.test(message)) return { kind: 'missingColumn' };
  if (/^too many columns/.test(message)) return { kind: 'columnLimit' };
  if (
    /^(?:Expression tree is too large|parser stack overflow|Recursion limit|too many (?:SQL variables|terms in))/.test(
      message,
    )
  )
    return { kind: 'tooComplex' };
  if (/integer overflow|out of range/.test(message)) return { kind: 'outOfRange' };
  return { kind: 'unknown' };
}

/** SQLite names the columns as `UNIQUE constraint failed: people.first, people.last`. */
function constraintNames(message: string): { table?: string; columns?: string[] } {
  const names = /^(?:UNIQUE|NOT NULL) constraint failed: (.+)$/.exec(message)?.[1]?.split(', ');
  if (names === undefined) return {};
  const dot = names[0]?.indexOf('.') ?? -1;
  if (dot < 0) return {};
  return { table: names[0]?.slice(0, dot), columns: names.map((name) => name.slice(dot + 1)) };
}
