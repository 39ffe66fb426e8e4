import type { Container } from '@trellis/core';
import {
  AccessServiceToken,
  BusToken,
  type AccessService,
  type JobDefinition,
  type Logger,
} from '@trellis/sdk/server';
import { ChangeLogToken, PendingChangesToken, WrittenCallsToken } from '../changes/tokens.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { host } from '../runtime/owned-work.ts';
import {
  HooksToken,
  HostJobToken,
  HostTasksToken,
  LoggerToken,
  PluginErrorsToken,
  registryToken,
  TaskRowsToken,
} from '../runtime/tokens.ts';
import { BaseDatabasesToken, HostSchemaStoreToken } from '../schema/tokens.ts';
import { createRowStore, type HostRowStore } from './row-store.ts';
import { HostRowStoreToken, SettleAtStartToken } from './tokens.ts';

/** Milliseconds that a write to another database may take before it counts as cut off. */
const stillUnderWay = 120_000;

/** Binds the row store. */
export function bindRows(container: Container): void {
  container.bind(HostRowStoreToken, {
    needs: {
      metadata: MetadataToken,
      schema: HostSchemaStoreToken,
      databases: BaseDatabasesToken,
      log: ChangeLogToken,
      pending: PendingChangesToken,
      calls: WrittenCallsToken,
      bus: BusToken,
      hooks: HooksToken,
      columnTypes: registryToken('columnTypes'),
      filterOperators: registryToken('filterOperators'),
      aggregations: registryToken('aggregations'),
      errors: PluginErrorsToken,
      tasks: HostTasksToken,
      kinds: registryToken('taskKinds'),
      functions: registryToken('functions'),
      access: AccessServiceToken,
    },
    make({ kinds, ...needed }) {
      const rows = createRowStore(needed);
      kinds.register(rows.loadKind, host);
      return rows;
    },
  });
  container.contribute(HostJobToken, {
    needs: { rows: HostRowStoreToken, tasks: TaskRowsToken },
    make: ({ rows, tasks }) => ({
      id: 'sweep-loads',
      every: 3600,
      run: async () => rows.sweepLoads(await tasks.payloadsOf(rows.loadKind.id)),
    }),
  });
  container.contribute(HostJobToken, {
    needs: { rows: HostRowStoreToken, access: AccessServiceToken },
    make: settleChanges,
  });
  container.bind(SettleAtStartToken, {
    needs: {
      metadata: MetadataToken,
      rows: HostRowStoreToken,
      access: AccessServiceToken,
      logger: LoggerToken,
    },
    make: settleAtStart,
  });
}

/** Settles at start what is still announced. A SQLite file serves one process, so everything announced before this process began was cut off. */
function settleAtStart(deps: {
  readonly metadata: Metadata;
  readonly rows: HostRowStore;
  readonly access: AccessService;
  readonly logger: Logger;
}): () => Promise<void> {
  const begun = Date.now();
  return async () => {
    if (deps.metadata.database.dialect.statements.locksRows) return;
    try {
      await settle(deps, begun);
    } catch (error) {
      deps.logger.warn('Changes to other databases that were cut off are left to the job', { error });
    }
  };
}

/** Settles what was announced before a time, in UTC milliseconds. */
async function settle(
  {
    rows,
    access,
    logger,
  }: { readonly rows: HostRowStore; readonly access: AccessService; readonly logger: Logger },
  before: number,
): Promise<void> {
  const scopeFor = (projectId: string) => access.systemScope(projectId, 'settle-changes');
  const settled = await rows.settlePending(scopeFor, before);
  if (settled.done + settled.withdrawn + settled.unknown > 0)
    logger.warn('Changes to other databases that were cut off have been settled', { ...settled });
}

/** Settles changes to other databases whose server ended between announcing and confirming them. */
function settleChanges(deps: { readonly rows: HostRowStore; readonly access: AccessService }): JobDefinition {
  return {
    id: 'settle-changes',
    every: 60,
    run: ({ logger }) => settle({ ...deps, logger }, Date.now() - stillUnderWay),
  };
}
