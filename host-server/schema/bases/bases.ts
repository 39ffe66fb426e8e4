import { changesTarget, maskSecrets } from '@trellis/core';
import {
  type AccessScope,
  type BaseKind,
  type BaseSettings,
  type BaseStore,
  type ConnectionOutcome,
  auditText,
} from '@trellis/sdk/server';
import type { DatabaseTarget } from '../../databases/index.ts';
import type { BaseRow } from '../../metadata/models/base-model.ts';
import { models } from '../../metadata/models/models.ts';
import { checkPrintable } from '../names.ts';
import { deleteTables, tellOfTables } from '../jobs/purge.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { insertTableRows } from '../table-rows.ts';
import { changedSettings, kindFor, type StoredConnection } from './base-settings.ts';
import { connectionProblem } from './connection-problem.ts';
import { createBaseOpener, isSuperAdmin, rulesOf, type WantedBase } from './open-base.ts';
import { whileFilesAreFree } from './open-files.ts';
import { requireProject } from './projects.ts';
import { testConnection } from './test-connection.ts';

/** An external base with its connection. */
interface ExternalBase {
  readonly row: BaseRow;
  readonly kind: BaseKind;
  readonly connection: StoredConnection;
}

/** The place of a target's database, without account and other settings. */
function placeOf(target: DatabaseTarget): string {
  return 'file' in target
    ? target.file
    : JSON.stringify([target.host, target.port, target.database, target.schema]);
}

/** The databases of projects: the available kinds, and the bases of one project. */
export function createBaseStore(parts: SchemaStoreParts): BaseStore {
  const {
    metadata,
    databases,
    baseKinds,
    jobs,
    logger,
    changeMetadata,
    announce,
    snapshotOf,
    forget,
    files,
  } = parts;
  const { database } = metadata;
  const opener = createBaseOpener(parts);

  async function find(scope: AccessScope, baseId: string): Promise<ExternalBase> {
    const { BaseModel } = await models();
    const projectId = requireProject(scope);
    const [row] = await database.read(async (unit) =>
      BaseModel.query(unit.knex).where({ id: baseId, project_id: projectId }),
    );
    if (row === undefined) throw schemaErrors.create('BASE_NOT_FOUND');
    if (row.config === null) throw schemaErrors.create('BASE_OWN');
    const connection = databases.unseal(row.config);
    return { row: row.toJSON() as BaseRow, kind: kindFor(baseKinds, connection.type), connection };
  }

  /** The connection of a base with other settings, and its target. */
  function changed(scope: AccessScope, base: ExternalBase, settings: BaseSettings) {
    const stored = base.connection;
    const next = changedSettings(base.kind, settings, stored.settings);
    const connection: StoredConnection = {
      ...stored,
      settings: next,
      // A change of other settings does not choose the place, so the earlier `isSetBySuperAdmin` stays.
      isSetBySuperAdmin: changesTarget(base.kind.settings, next, stored.settings)
        ? isSuperAdmin(scope)
        : stored.isSetBySuperAdmin,
    };
    return { connection, target: databases.targetOf(connection) };
  }

  /**
   * Checks that new settings lead to a working database. A file cannot be replaced by another one, which would not have the
   * base's rows.
   */
  async function assertWorks(base: ExternalBase, target: DatabaseTarget): Promise<void> {
    const before = databases.targetOf(base.connection);
    if ('file' in target || 'file' in before) {
      if ('file' in target && 'file' in before && target.file === before.file) return;
      throw schemaErrors.create('BASE_FILE_FIXED');
    }
    await databases.test(target).catch((error: unknown) => {
      throw connectionProblem(error);
    });
  }

  /**
   * Refuses a new place while a cut-off schema change is unsettled: it would be reverted in the other database, where the same
   * names may mean other tables.
   */
  async function assertSettled(projectId: string, base: ExternalBase, target: DatabaseTarget): Promise<void> {
    if (placeOf(target) === placeOf(databases.targetOf(base.connection))) return;
    if (await jobs.hasUnsettled(projectId, base.row.id)) throw schemaErrors.create('BASE_UNSETTLED');
  }

  function testOf(
    target: DatabaseTarget,
    settings: BaseSettings,
    signal: AbortSignal | undefined,
  ): Promise<ConnectionOutcome> {
    return testConnection(databases, target, { mayCreate: settings.createDatabase === true, signal });
  }

  /** Cleans up after a removal. A failure is only logged, since the server repeats the cleanup by itself. */
  async function onward(what: string, baseId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn(`A database was taken out of its project, and ${what} will end later`, { baseId, error });
    }
  }

  async function insert(scope: AccessScope, projectId: string, wanted: WantedBase): Promise<string> {
    const { tables } = await snapshotOf(scope);
    const others = [...tables.values()];
    const taken = {
      titles: others.map(({ title }) => title),
      order: Math.max(1, ...others.map(({ order }) => order)),
    };
    const files = wanted.fileId === undefined ? [] : [wanted.fileId];
    return whileFilesAreFree({ database, databases }, scope, files, async (assertFree) => {
      await database.read(assertFree);
      const found = await opener.read(wanted, { projectId, now: Date.now(), taken });
      const { base } = found;
      const { BaseModel, LinkModel } = await models();
      const write = changeMetadata(
        projectId,
        async (unit) => {
          await assertFree(unit);
          await BaseModel.insertMany(unit, [base]);
          for (const table of found.tables) await insertTableRows(unit, table);
          await LinkModel.insertMany(unit, found.links);
        },
        {
          scope,
          auditType: 'PROJECT',
          auditSubType: 'UPDATED',
          projectId,
          baseId: base.id,
          description: auditText('The database {{name}} was opened', { name: base.alias ?? base.id }),
        },
      );
      await write.catch(async (error: unknown) => {
        await databases.forget(base.id);
        throw error;
      });
      return base.id;
    });
  }

  return {
    kinds(scope) {
      scope.require('databaseOpen');
      return baseKinds.list().toSorted((one, other) => (one.order ?? 100) - (other.order ?? 100));
    },

    async test(scope, input, signal) {
      scope.require('databaseOpen');
      const { target, connection } = await opener.find(scope, input);
      return testOf(target, connection.settings, signal);
    },

    async testBase(scope, baseId, settings, signal) {
      scope.require('databaseOpen');
      scope.require('baseUpdate');
      const base = await find(scope, baseId);
      // Giving the journal back on close is for the base, not for a test: the base may have the file open.
      const connection = { ...changed(scope, base, settings).connection, givesJournalBack: undefined };
      return testOf(databases.targetOf(connection), connection.settings, signal);
    },

    async connection(scope, baseId) {
      scope.require('databaseOpen');
      scope.require('baseUpdate');
      const { row, kind, connection } = await find(scope, baseId);
      const settings = maskSecrets(kind.settings, connection.settings);
      return { baseId, alias: row.alias ?? undefined, type: kind.id, settings };
    },

    async add(scope, input) {
      scope.require('databaseOpen');
      scope.require('baseCreate');
      const projectId = requireProject(scope);
      if (input.alias !== undefined) checkPrintable(input.alias);
      const wanted = await opener.find(scope, input);
      const id = await jobs.exclusively(projectId, () => insert(scope, projectId, wanted));
      announce({ projectId, requestId: scope.requestId });
      return id;
    },

    async update(scope, baseId, { alias, settings }) {
      scope.require('databaseOpen');
      scope.require('baseUpdate');
      const projectId = requireProject(scope);
      if (alias !== undefined) checkPrintable(alias);
      const change = async () => {
        const base = await find(scope, baseId);
        const next = settings && changed(scope, base, settings);
        if (next !== undefined) {
          await assertSettled(projectId, base, next.target);
          await assertWorks(base, next.target);
        }
        const { BaseModel } = await models();
        const patch = {
          ...(alias !== undefined && { alias: alias === '' ? null : alias }),
          ...(next && { config: databases.seal(next.connection), rules: rulesOf(next.connection) }),
          updated_at: Date.now(),
        };
        await changeMetadata(
          projectId,
          async (unit) => {
            await BaseModel.query(unit.knex).findById(baseId).patch(patch);
          },
          {
            scope,
            auditType: 'PROJECT',
            auditSubType: 'UPDATED',
            projectId,
            baseId,
            description: next
              ? auditText('The connection of a database was changed', {})
              : auditText('A database was renamed', {}),
          },
        );
      };
      // A change of the base's tables that is under way must end in the database where it began.
      await (settings === undefined ? change() : jobs.exclusively(projectId, change));
      announce({ projectId, requestId: scope.requestId });
    },

    async remove(scope, baseId) {
      scope.require('databaseOpen');
      scope.require('baseDelete');
      const projectId = requireProject(scope);
      const { connection } = await find(scope, baseId);
      const tables = await jobs.exclusively(projectId, async (signal) => {
        const { bases } = await snapshotOf(scope);
        if (bases.size === 1) throw schemaErrors.create('BASE_LAST');
        const { BaseModel, TableModel } = await models();
        const found = await database.read(async (unit) =>
          TableModel.query(unit.knex).where({ base_id: baseId }).select('id'),
        );
        // One transaction: a base without some of its tables would be neither present nor removed.
        await changeMetadata(
          projectId,
          async (unit) => {
            await deleteTables(unit, { base_id: baseId });
            await BaseModel.query(unit.knex).deleteById(baseId);
          },
          {
            scope,
            auditType: 'PROJECT',
            auditSubType: 'UPDATED',
            projectId,
            baseId,
            description: auditText('A database was taken out of the project', {}),
          },
        );
        // Its cut-off schema changes can no longer be settled.
        await onward('the changes of its tables', baseId, () => jobs.settle(projectId, signal));
        return found;
      });
      announce({ projectId, requestId: scope.requestId });
      await onward('its connection', baseId, () => databases.forget(baseId));
      await onward('its file', baseId, () => files.release(connection));
      await onward('what the log keeps of it', baseId, async () => {
        const gone = tables.map(({ id: tableId }) => ({ projectId, tableId }));
        await tellOfTables({ metadata, forget }, gone);
      });
    },
  };
}
