import type { AccessScope, BaseKind, ExternalBaseInput } from '@trellis/sdk/server';
import { isPrintable } from '@trellis/sdk/shared';
import { isLimited } from '../../access/rights/access-scope.ts';
import { DatabaseError, type DatabaseTarget } from '../../databases/index.ts';
import type { BaseRow, BaseRules } from '../../metadata/models/base-model.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import { newId } from '../../runtime/ids.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import type { TableRows } from '../table-rows.ts';
import { kindFor, readSettings, type StoredConnection } from './base-settings.ts';
import { connectionProblem } from './connection-problem.ts';
import { withLinkColumns } from './external-link-columns.ts';
import { planLinks } from './external-links.ts';
import { planExternalTables, type TakenPlaces } from './external-schema.ts';

/** An existing database that somebody wants to open, with the facts known before reading it. */
export interface WantedBase {
  readonly input: ExternalBaseInput;
  readonly connection: StoredConnection;
  readonly target: DatabaseTarget;
  /** For a file: the same id for every path to it. */
  readonly fileId: string | undefined;
}

/** The tables and links of an existing database, as the metadata will store them. */
export interface ReadBase {
  readonly base: BaseRow;
  readonly tables: readonly TableRows[];
  readonly links: readonly LinkRow[];
}

/** The project and place of a new base. */
export interface BasePlace {
  readonly projectId: string;
  readonly now: number;
  readonly taken?: TakenPlaces;
}

/** The steps from a client's input to the rows of a base. */
export interface BaseOpener {
  /** @throws TrellisError 400 for wrong settings and for a missing file. */
  find(scope: AccessScope, input: ExternalBaseInput): Promise<WantedBase>;
  /**
   * Connects and reads the schema. The database stays open for the base. @throws TrellisError 400 with the message of a
   * connection test.
   */
  read(wanted: WantedBase, place: BasePlace): Promise<ReadBase>;
}

/** Whether the caller may let the server connect to private addresses. A credential with limits may not. */
export function isSuperAdmin({ principal }: AccessScope): boolean {
  return principal.accountRoles.includes('super') && !isLimited(principal);
}

/** The rules that follow from the settings. A read-only database is never changed. */
export function rulesOf({ settings }: StoredConnection): BaseRules {
  const readOnly = settings.readOnly === true;
  return { readOnly, schemaChanges: settings.schemaChanges !== false && !readOnly };
}

/** The path of a file in a client's input; empty without one. */
function fileIn(kind: BaseKind, { settings, config }: ExternalBaseInput): string {
  const { file } = settings ?? kind.fromConfig(config ?? {});
  return typeof file === 'string' ? file : '';
}

/** Replaces the errors of a missing and of a forbidden file by the same one, so that the answer does not tell which files exist. */
function missingFile(error: unknown): unknown {
  const isMissing = error instanceof DatabaseError && error.kind === 'unreachable';
  return isMissing ? schemaErrors.create('SQLITE_FILE_MISSING', {}, error) : error;
}

export function createBaseOpener(
  parts: Pick<SchemaStoreParts, 'databases' | 'columnTypes' | 'baseKinds'>,
): BaseOpener {
  const { databases, columnTypes, baseKinds } = parts;

  function settingsOf(kind: BaseKind, input: ExternalBaseInput) {
    // A path with unprintable characters can be refused without telling which files exist.
    if (kind.id === 'sqlite3' && !isPrintable(fileIn(kind, input)))
      throw schemaErrors.create('SQLITE_FILE_CHARACTER');
    try {
      return readSettings(kind, input);
    } catch (error) {
      // Every problem with a file's name gets the same error, so that nothing is told about existing files.
      throw kind.id === 'sqlite3' ? schemaErrors.create('SQLITE_FILE_MISSING', {}, error) : error;
    }
  }

  return {
    async find(scope, input) {
      const kind = kindFor(baseKinds, input.type);
      const settings = settingsOf(kind, input);
      const connection = { type: kind.id, settings, isSetBySuperAdmin: isSuperAdmin(scope) };
      const target = databases.targetOf(connection);
      if (!('file' in target)) return { input, connection, target, fileId: undefined };
      try {
        const fileId = await databases.fileOf(target);
        const givesJournalBack = await databases.hasRollbackJournal(target);
        return {
          input,
          connection: { ...connection, givesJournalBack },
          target: { ...target, givesJournalBack },
          fileId,
        };
      } catch (error) {
        throw missingFile(error);
      }
    },

    async read({ input, connection, target }, { projectId, now, taken }) {
      const id = newId('base');
      const isServer = !('file' in target);
      const mayCreate = connection.settings.createDatabase === true;
      const opened = databases.open(id, target);
      try {
        if (isServer && mayCreate) await databases.create(target);
        const schema = await opened.read((unit) => opened.dialect.introspection.read(unit), {
          timeoutMs: longestLook,
        });
        const rules = rulesOf(connection);
        const inflectionTable = input.inflectionTable ?? 'camelize';
        const inflectionColumn = input.inflectionColumn ?? 'camelize';
        const tables = planExternalTables(
          schema,
          { projectId, baseId: id, inflectionTable, inflectionColumn, now, taken },
          columnTypes,
        );
        // An empty database is accepted where tables can be made in it.
        if (tables.length === 0 && !(isServer && rules.schemaChanges))
          throw schemaErrors.create('DATABASE_EMPTY');
        const links = planLinks(schema, tables);
        const base: BaseRow = {
          id,
          project_id: projectId,
          alias: input.alias ?? null,
          own: false,
          dialect: opened.dialect.name,
          config: databases.seal(connection),
          rules,
          inflection_table: inflectionTable,
          inflection_column: inflectionColumn,
          created_at: now,
          updated_at: now,
        };
        return { base, tables: withLinkColumns(tables, links), links };
      } catch (error) {
        await databases.forget(id);
        if (!isServer) throw missingFile(error);
        throw mayBeToldAs(error) ? connectionProblem(error) : error;
      }
    },
  };
}

/** Milliseconds for reading a schema of thousands of tables. */
const longestLook = 60_000;

/** Whether an error comes from the database and may be shown as a connection problem. Errors of the server itself keep their messages. */
function mayBeToldAs(error: unknown): boolean {
  return error instanceof DatabaseError || (error as { code?: unknown }).code === 'OUTBOUND_HOST_UNKNOWN';
}
