import { ErrorBudget, HookRegistry, Registry } from '@trellis/core';
import type {
  AccessScope,
  Logger,
  Permission,
  ServerColumnType,
  ServerHooks,
  ViewType,
} from '@trellis/sdk/server';
import { createAccessService } from '../../host-server/access/access-service.ts';
import { ConnectionManager, type Database } from '../../host-server/databases/index.ts';
import { createMetadata } from '../../host-server/metadata/metadata.ts';
import { createBaseDatabases } from '../../host-server/schema/base-databases.ts';
import { createSchemaStore } from '../../host-server/schema/schema-store.ts';
import { createSecrets } from '../../host-server/secrets/secrets.ts';
import { createViewStore } from '../../host-server/views/view-store.ts';
import * as basicColumns from '../../plugins/columns-basic/shared/index.ts';
import { rating } from '../../plugins/column-rating/shared/index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The stores over one database, as the host composes them, without HTTP. */
export async function createDataPath(
  database: Database,
  options: { readonly sqliteFolder?: string; readonly reach?: (point: string) => Promise<void> } = {},
) {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  for (const type of Object.values(basicColumns)) {
    if (typeof type === 'object' && 'storage' in type) columnTypes.register(type, 'columns-basic');
  }
  const ratingType = columnTypes.register(rating, 'column-rating');
  const viewTypes = new Registry<ViewType>({ id: 'viewTypes', absentPolicy: 'read-only grid' });
  viewTypes.register({ id: 'grid', label: 'Grid', number: 3 }, 'view-grid');
  const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });
  const hooks = createHooks();
  const metadata = await createMetadata({ database, pollEvery: 0 });
  const connections = new ConnectionManager({ sqliteFolder: options.sqliteFolder });
  const databases = createBaseDatabases({ metadata, connections, secrets: createSecrets('test') });
  const announced: unknown[] = [];
  const announce = (event: object) => announced.push(event);
  const record = () => Promise.resolve();
  const access = createAccessService({ metadata, permissions });
  const schema = createSchemaStore({
    metadata,
    databases,
    columnTypes,
    hooks,
    logger: silent,
    record,
    announce,
    sqliteFolder: options.sqliteFolder,
    reach: options.reach,
  });
  const views = createViewStore({ metadata, schema, viewTypes, record, announce });

  /** A scope with every right in a new project. */
  async function newProject(title: string): Promise<AccessScope> {
    const { id } = await schema.createProject(access.systemScope(undefined, 'test'), { title });
    return access.systemScope(id, 'test');
  }

  return {
    metadata,
    databases,
    columnTypes,
    ratingType,
    hooks,
    access,
    schema,
    views,
    announced,
    newProject,
    async dispose() {
      schema.dispose();
      access.dispose();
      metadata.dispose();
      await connections.close();
    },
  };
}

function createHooks(): HookRegistry<ServerHooks> {
  const hooks = new HookRegistry<ServerHooks>({ onContained() {}, budget: new ErrorBudget() });
  for (const id of ['tables.willCreate', 'columns.willCreate'] as const) {
    hooks.define(id, { kind: 'waterfall', policy: 'propagate', description: id });
  }
  for (const id of ['tables.willDelete', 'columns.willDelete'] as const) {
    hooks.define(id, { kind: 'bail', policy: 'propagate', description: id });
  }
  return hooks;
}
