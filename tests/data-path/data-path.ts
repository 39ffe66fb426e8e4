import { ErrorBudget, Registry } from '@trellis/core';
import {
  storePermissions,
  type AccessScope,
  type BaseKind,
  type BusTransport,
  type FunctionDefinition,
  type Logger,
  type Permission,
  type ScopeRule,
  type ServerColumnType,
  type TaskKind,
  type OpenViews,
  type ViewType,
  type ConditionHolder,
  type FilterHome,
} from '@trellis/sdk/server';
import type { Aggregation, FilterOperator, LiveEvent, ViewAddition } from '@trellis/sdk/shared';
import { ViewHeirs } from '../../host-server/access/members/view-heirs.ts';
import { createAccessService } from '../../host-server/access/rights/access-service.ts';
import { createAuditLog } from '../../host-server/changes/audit-log.ts';
import { ChangeLog } from '../../host-server/changes/change-log.ts';
import { LiveFeed } from '../../host-server/changes/live/live-feed.ts';
import { createTableOf } from '../../host-server/changes/live/table-of.ts';
import { createOutbox } from '../../host-server/changes/outbox/outbox.ts';
import { HostBackground } from '../../host-server/runtime/background/host-background.ts';
import { PendingChanges } from '../../host-server/changes/pending-changes.ts';
import { forgetColumn, forgetTable } from '../../host-server/changes/retention/forget.ts';
import { SettledLog } from '../../host-server/changes/settled-log.ts';
import { WrittenCalls } from '../../host-server/changes/written-calls.ts';
import { createFindWrittenRows } from '../../host-server/changes/written-rows.ts';
import { ConnectionManager, type Database } from '../../host-server/databases/index.ts';
import { createMetadata } from '../../host-server/metadata/metadata.ts';
import { pluginUnit, unitOf } from '../../host-server/plugins/plugin-database.ts';
import { createServerHooks } from '../../host-server/plugins/server-hooks.ts';
import { HostBus } from '../../host-server/runtime/bus/host-bus.ts';
import { hostFunctions } from '../../host-server/query/host-functions.ts';
import { HostTasks } from '../../host-server/runtime/tasks/host-tasks.ts';
import { TaskRows } from '../../host-server/runtime/tasks/task-rows.ts';
import { createRowStore } from '../../host-server/rows/row-store.ts';
import { createBaseDatabases } from '../../host-server/schema/bases/base-databases.ts';
import type { ForgetDropped } from '../../host-server/schema/jobs/purge.ts';
import { hostBaseKinds } from '../../host-server/schema/bases/kinds/host-base-kinds.ts';
import { createSchemaStore } from '../../host-server/schema/schema-store.ts';
import { createSecrets } from '../../host-server/access/secrets/secrets.ts';
import { createViewStore } from '../../host-server/schema/views/view-store.ts';
import * as basicColumns from '../../plugins/columns-basic/shared/index.ts';
import { aggregations as basicAggregations } from '../../plugins/columns-basic/shared/aggregations.ts';
import { filterOperators as basicOperators } from '../../plugins/filters-basic/shared/index.ts';
import { rating } from '../../plugins/column-rating/shared/index.ts';

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The stores on one database, composed as in the host, without HTTP. */
export async function createDataPath(
  database: Database,
  options: {
    readonly sqliteFolder?: string;
    readonly reach?: (point: string) => Promise<void>;
    /** Whether live events are received, which are then in `live` after `feed.catchUp`. */
    readonly listens?: boolean;
    readonly outbox?: { readonly now?: () => number; readonly every?: number };
  } = {},
) {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  for (const type of Object.values(basicColumns)) {
    if (typeof type === 'object' && 'storage' in type) columnTypes.register(type, 'columns-basic');
  }
  const ratingType = columnTypes.register(rating, 'column-rating');
  const viewTypes = new Registry<ViewType>({ id: 'viewTypes', absentPolicy: 'read-only grid' });
  const viewAdditions = new Registry<ViewAddition>({ id: 'viewAdditions', absentPolicy: 'kept' });
  viewTypes.register({ id: 'grid', label: 'Grid' }, 'view-grid');
  const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });
  for (const permission of storePermissions) permissions.register(permission, 'host');
  const scopeRules = new Registry<ScopeRule>({ id: 'scopeRules', absentPolicy: 'refused' });
  const functions = new Registry<FunctionDefinition>({ id: 'functions', absentPolicy: 'refused' });
  for (const { definition } of hostFunctions.values()) functions.register(definition, 'host');
  const filterOperators = new Registry<FilterOperator>({ id: 'filterOperators', absentPolicy: 'refused' });
  for (const operator of basicOperators) filterOperators.register(operator, 'filters-basic');
  const aggregations = new Registry<Aggregation>({ id: 'aggregations', absentPolicy: 'not offered' });
  for (const item of basicAggregations) aggregations.register(item, 'columns-basic');
  const contained: unknown[] = [];
  const hooks = createServerHooks({
    budget: new ErrorBudget(),
    onContained: (error) => void contained.push(error),
  });
  const transports = new Registry<BusTransport>({ id: 'busTransports', absentPolicy: 'own' });
  const bus = new HostBus({ transports, own: undefined, logger: silent });
  const metadata = await createMetadata({ database, bus, pollEvery: 0 });
  const connections = new ConnectionManager({
    sqliteFolder: options.sqliteFolder,
    resolveHost: async () => '127.0.0.1',
  });
  const secrets = createSecrets('test');
  const baseKinds = new Registry<BaseKind>({ id: 'baseKinds', absentPolicy: 'unreachable' });
  for (const kind of hostBaseKinds) baseKinds.register(kind, 'host');
  const databases = createBaseDatabases({ metadata, connections, secrets, baseKinds });
  const taskKinds = new Registry<TaskKind>({ id: 'taskKinds', absentPolicy: 'wait' });
  const taskRows = new TaskRows(database);
  const tasks = new HostTasks({ rows: taskRows, kinds: taskKinds, bus });
  const announced: unknown[] = [];
  const announce = (event: object) => announced.push(event);
  const record = () => Promise.resolve();
  const errors = {
    report: (_owner: string, _where: string, error: unknown) => void contained.push(error),
    charge: (_item: unknown, error: unknown) => void contained.push(error),
  };
  const access = createAccessService({
    metadata,
    heirs: new ViewHeirs({ metadata, didPassOn: () => undefined }),
    permissions,
    scopeRules,
    filterHomes: new Registry<FilterHome>({ id: 'filterHomes', absentPolicy: 'not found' }),
    errors,
    nameOf: (id) => id,
    unitOf,
    secrets,
  });
  const forget: ForgetDropped = {
    project: () => Promise.resolve(),
    goneTable: () => Promise.resolve(),
    table: (tableId) => forgetTable(metadata, tableId),
    column: (column) => forgetColumn(metadata, column),
  };
  const schema = createSchemaStore({
    metadata,
    forget,
    databases,
    baseKinds,
    columnTypes,
    viewTypes,
    viewAdditions,
    conditionHolders: new Registry<ConditionHolder>({ id: 'conditionHolders', absentPolicy: 'none' }),
    pluginUnit,
    openViews: new Registry<OpenViews>({ id: 'openViews', absentPolicy: 'none' }),
    functions,
    filterOperators,
    errors,
    hooks,
    logger: silent,
    record,
    announce,
    announceTask: (id) => tasks.announce(id),
    writtenRows: createFindWrittenRows(metadata),
    sqliteFolder: options.sqliteFolder,
    uploadLimit: 1024 * 1024,
    secrets,
    plugins: () => [],
    reach: options.reach,
  });
  const views = createViewStore({
    metadata,
    schema,
    viewTypes,
    viewAdditions,
    filterOperators,
    columnTypes,
    functions,
    databases,
    record,
    announce,
    errors,
  });
  const log = new ChangeLog(metadata);
  const calls = new WrittenCalls(metadata);
  const pending = new PendingChanges(metadata, log, calls);
  const audit = createAuditLog(metadata, { log, bus: { publish: () => undefined } });
  const outbox = createOutbox({
    metadata,
    log,
    background: new HostBackground(),
    logger: silent,
    ...options.outbox,
  });
  const live: LiveEvent[] = [];
  const feed = new LiveFeed({
    log,
    settled: new SettledLog(metadata),
    publish: async (event) => void live.push(event),
    isHeard: () => options.listens === true,
    tableOf: createTableOf(() => schema, access),
    onError: (error) => void contained.push(error),
  });
  // Receives events from the first change on.
  if (options.listens === true) await feed.catchUp();
  const rowStore = createRowStore({
    metadata,
    schema,
    databases,
    log,
    pending,
    calls,
    bus,
    hooks,
    columnTypes,
    filterOperators,
    aggregations,
    errors,
    functions,
    tasks,
    access,
  });
  taskKinds.register(rowStore.loadKind, 'host');

  /** A scope with all rights in a new project. */
  async function newProject(title: string): Promise<AccessScope> {
    const { id } = await schema.createProject(access.systemScope(undefined, 'test'), { title });
    return access.systemScope(id, 'test');
  }

  return {
    metadata,
    databases,
    columnTypes,
    ratingType,
    viewTypes,
    viewAdditions,
    filterOperators,
    functions,
    permissions,
    scopeRules,
    hooks,
    contained,
    access,
    schema,
    views,
    rowStore,
    bus,
    tasks,
    taskRows,
    taskKinds,
    handleOf: schema.open,
    log,
    pending,
    calls,
    audit,
    forget,
    outbox,
    feed,
    live,
    announced,
    newProject,
    async dispose() {
      feed.dispose();
      await outbox.dispose();
      schema.dispose();
      access.dispose();
      metadata.dispose();
      await connections.close();
    },
  };
}

/** Expires the leases of all servers, as six seconds without a renewal would. */
export async function expireLeases(database: Database): Promise<void> {
  await database.write((unit) => unit.run(unit.knex('trellis_lease').update({ expires_at: 0 })));
}
