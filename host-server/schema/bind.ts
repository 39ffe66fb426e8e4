import { later, type Container } from '@trellis/core';
import {
  BaseStoreToken,
  DatabaseFilesToken,
  DatabaseObjectsToken,
  PluginAdministrationToken,
  SchemaSyncToken,
  SecretsToken,
  TrashToken,
  toListedView,
  ViewEntitiesToken,
  ViewStoreToken,
} from '@trellis/sdk/server';
import { ConnectionsToken } from '../databases/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import {
  ConfigToken,
  HooksToken,
  HostJobToken,
  HostTasksToken,
  LoggerToken,
  PluginErrorsToken,
  registryToken,
} from '../runtime/tokens.ts';
import { createBaseDatabases } from './bases/base-databases.ts';
import { purgeParked } from './jobs/purge.ts';
import { createSchemaStore } from './schema-store.ts';
import {
  AnnounceSchemaChangeToken,
  BaseDatabasesToken,
  ForgetDroppedToken,
  HostSchemaStoreToken,
  PluginUnitToken,
  RecordSchemaChangeToken,
  WrittenRowsToken,
} from './tokens.ts';
import { createViewStore } from './views/view-store.ts';

/** Binds the stores of projects, tables, columns and views. */
export function bindSchema(container: Container): void {
  container.bind(BaseDatabasesToken, {
    needs: {
      metadata: MetadataToken,
      connections: ConnectionsToken,
      secrets: SecretsToken,
      baseKinds: registryToken('baseKinds'),
    },
    make: createBaseDatabases,
  });
  container.bind(HostSchemaStoreToken, {
    needs: {
      metadata: MetadataToken,
      databases: BaseDatabasesToken,
      baseKinds: registryToken('baseKinds'),
      columnTypes: registryToken('columnTypes'),
      viewTypes: registryToken('viewTypes'),
      viewAdditions: registryToken('viewAdditions'),
      conditionHolders: registryToken('conditionHolders'),
      pluginUnit: PluginUnitToken,
      openViews: registryToken('openViews'),
      functions: registryToken('functions'),
      filterOperators: registryToken('filterOperators'),
      errors: PluginErrorsToken,
      hooks: HooksToken,
      logger: LoggerToken,
      record: RecordSchemaChangeToken,
      announce: AnnounceSchemaChangeToken,
      writtenRows: WrittenRowsToken,
      forget: ForgetDroppedToken,
      tasks: HostTasksToken,
      config: ConfigToken,
      secrets: SecretsToken,
      plugins: later(PluginAdministrationToken),
    },
    make: ({ config: { sqliteDir: sqliteFolder, sqliteUploadMb }, tasks, plugins, ...needed }) =>
      createSchemaStore({
        ...needed,
        plugins: () => plugins().list(),
        sqliteFolder,
        uploadLimit: sqliteUploadMb * 1024 * 1024,
        announceTask: (id) => tasks.announce(id),
      }),
    dispose: (schema) => schema.dispose(),
  });
  container.bind(SchemaSyncToken, {
    needs: { schema: HostSchemaStoreToken },
    make: ({ schema }) => schema.sync,
  });
  container.bind(BaseStoreToken, {
    needs: { schema: HostSchemaStoreToken },
    make: ({ schema }) => schema.bases,
  });
  container.bind(DatabaseObjectsToken, {
    needs: { schema: HostSchemaStoreToken },
    make: ({ schema }) => schema.objects,
  });
  container.bind(DatabaseFilesToken, {
    needs: { schema: HostSchemaStoreToken },
    make: ({ schema }) => schema.files,
  });
  container.bind(TrashToken, { needs: { schema: HostSchemaStoreToken }, make: ({ schema }) => schema.trash });
  container.bind(ViewStoreToken, {
    needs: {
      metadata: MetadataToken,
      schema: HostSchemaStoreToken,
      viewTypes: registryToken('viewTypes'),
      viewAdditions: registryToken('viewAdditions'),
      filterOperators: registryToken('filterOperators'),
      columnTypes: registryToken('columnTypes'),
      functions: registryToken('functions'),
      databases: BaseDatabasesToken,
      record: RecordSchemaChangeToken,
      announce: AnnounceSchemaChangeToken,
      errors: PluginErrorsToken,
    },
    make: createViewStore,
  });
  container.bind(ViewEntitiesToken, {
    needs: { hooks: HooksToken },
    make: ({ hooks }) => ({
      of: (scope, table) =>
        hooks.call(
          'views.willTell',
          table.views.map((view) => toListedView(view, table)),
          { scope, table },
        ),
    }),
  });
  container.contribute(HostJobToken, {
    needs: { metadata: MetadataToken, forget: ForgetDroppedToken, schema: HostSchemaStoreToken },
    make: ({ metadata, forget, schema }) => ({
      id: 'purge-parked',
      every: 3600,
      async run({ logger }) {
        await purgeParked({ metadata, logger, forget });
        // After the purge, since the files of purged projects are no longer in use.
        await schema.files.sweep();
      },
    }),
  });
}
