import type {
  AccessScope,
  BaseStore,
  DatabaseObjects,
  ProjectSnapshot,
  SchemaStore,
  SchemaSync,
  TableHandle,
  TableSchema,
  Trash,
  ViewSchema,
} from '@trellis/sdk/server';
import { projectErrors } from '../metadata/project-errors.ts';
import { createChangeMetadata } from './change-metadata.ts';
import { createColumnTools } from './columns/column-tools.ts';
import { columnUses, tableUses } from './columns/column-uses.ts';
import { columnMethods } from './columns/columns.ts';
import { rowOrderMethods } from './columns/row-order.ts';
import { createPlaceInViews } from './columns/place-in-views.ts';
import { createConvertValue } from './columns/convert-value.ts';
import { createMovedValues } from './columns/moved-values.ts';
import { createRequireType } from './columns/required-type.ts';
import { createJobKinds } from './jobs/job-kinds.ts';
import { createDatabaseObjects } from './objects/database-objects.ts';
import { OpenedTable } from './opened-table.ts';
import { createBaseStore } from './bases/bases.ts';
import { createDatabaseFiles, type HostDatabaseFiles } from './bases/database-files.ts';
import { deletedProjectMethods } from './bases/deleted-projects.ts';
import { projectMethods, requireProject } from './bases/projects.ts';
import { schemaErrors } from './schema-errors.ts';
import { SchemaJobs } from './jobs/schema-jobs.ts';
import type { SchemaStoreDependencies, SchemaStoreParts } from './schema-store-parts.ts';
import { createNarrowedSnapshots, narrowedTable } from './snapshot/narrowed-snapshot.ts';
import { createSnapshots } from './snapshot/snapshots.ts';
import { createSync } from './sync/sync-base.ts';
import { tableMethods } from './tables.ts';
import { trashMethods } from './trash.ts';
import { viewErrors } from './views/view-errors.ts';

/** The schema store, with methods that only the host calls. */
export interface HostSchemaStore extends SchemaStore {
  /** Finishes or reverts the jobs of a killed process. */
  resumeJobs(): Promise<void>;
  /** See `rowOrderMethods`. */
  arrangeRows(scope: AccessScope, tableId: string, signal?: AbortSignal): Promise<void>;
  readonly trash: Trash;
  readonly sync: SchemaSync;
  readonly bases: BaseStore;
  readonly objects: DatabaseObjects;
  readonly files: HostDatabaseFiles;
  dispose(): void;
}

export function createSchemaStore(deps: SchemaStoreDependencies): HostSchemaStore {
  const snapshots = createSnapshots(deps.metadata);
  const narrowedSnapshots = createNarrowedSnapshots(deps);
  const moved = createMovedValues(deps);
  const convert = createConvertValue(deps.columnTypes, moved);
  const placeInViews = createPlaceInViews(deps);
  const kinds = createJobKinds({ ...deps, convert, moved, placeInViews });
  const jobs = new SchemaJobs({
    metadata: deps.metadata,
    logger: deps.logger,
    kinds: Object.values(kinds),
    record: deps.record,
    announce: deps.announce,
    announceTask: deps.announceTask,
    reach: deps.reach,
  });

  function snapshotOf(scope: AccessScope): ProjectSnapshot | Promise<ProjectSnapshot> {
    const snapshot = snapshots.get(requireProject(scope));
    return snapshot instanceof Promise ? snapshot.then(existing) : existing(snapshot);
  }

  async function narrowed(scope: AccessScope): Promise<ProjectSnapshot> {
    return narrowedSnapshots.of(scope, await snapshotOf(scope));
  }

  async function shownTable(scope: AccessScope, nameOrId: string): Promise<TableSchema> {
    const table = narrowedTable(scope, existingTable(await snapshotOf(scope), nameOrId), deps);
    if (table === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
    return table;
  }

  const changeMetadata = createChangeMetadata(deps.metadata, deps.record);
  const files = createDatabaseFiles(deps);
  const parts: SchemaStoreParts = {
    ...deps,
    files,
    jobs,
    kinds,
    convert,
    requireType: createRequireType(deps),
    moved,
    changeMetadata,
    placeInViews,
    snapshotOf,
    shownTable,
  };
  const tools = createColumnTools(parts);

  return {
    async snapshot(scope) {
      scope.require('projectGet');
      return narrowed(scope);
    },
    async table(scope, nameOrId) {
      scope.require('tableGet');
      return shownTable(scope, nameOrId);
    },
    async columnUses(scope, columnId) {
      scope.require('tableGet');
      return columnUses(await narrowed(scope), deps.columnTypes, columnId);
    },
    async tableUses(scope, tableId) {
      scope.require('tableGet');
      return tableUses(await narrowed(scope), tableId);
    },
    open(scope, tableNameOrId, viewNameOrId) {
      if (!rightsToRows.some((permission) => scope.may(permission))) scope.require('tableGet');
      const handleFrom = (snapshot: ProjectSnapshot): TableHandle => {
        const table = existingTable(snapshot, tableNameOrId);
        const view = viewNameOrId === undefined ? undefined : reachableView(scope, table, viewNameOrId);
        return new OpenedTable({ scope, snapshot, table, view });
      };
      const snapshot = snapshotOf(scope);
      return snapshot instanceof Promise ? snapshot.then(handleFrom) : handleFrom(snapshot);
    },
    ...projectMethods(parts),
    ...tableMethods(parts, tools),
    ...columnMethods(parts, tools),
    ...rowOrderMethods(parts, tools),
    resumeJobs: () => jobs.resume(),
    sync: createSync(parts),
    trash: { ...trashMethods(parts, tools), ...deletedProjectMethods(parts) },
    bases: createBaseStore(parts),
    objects: createDatabaseObjects(parts),
    files,
    dispose() {
      narrowedSnapshots.dispose();
      snapshots.dispose();
    },
  };
}

/** The permissions on rows. To open a table a caller needs one of them, or `tableGet`. */
const rightsToRows = [
  'dataList',
  'dataRead',
  'dataCount',
  'dataExist',
  'dataFindOne',
  'dataGroupBy',
  'exportCsv',
  'dataInsert',
  'dataUpdate',
  'dataDelete',
  'bulkDataInsert',
  'bulkDataUpdate',
  'bulkDataDelete',
];

function existing(snapshot: ProjectSnapshot | undefined): ProjectSnapshot {
  if (snapshot === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
  return snapshot;
}

function existingTable(snapshot: ProjectSnapshot, nameOrId: string): TableSchema {
  const table = snapshot.table(nameOrId);
  if (table === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
  return table;
}

/** The view of this table with this id or title. Somebody else's personal view is not found. */
function reachableView(scope: AccessScope, { views }: TableSchema, nameOrId: string): ViewSchema {
  const reachable = views.filter((view) => scope.can(view, 'read'));
  const view =
    reachable.find(({ id }) => id === nameOrId) ?? reachable.find(({ title }) => title === nameOrId);
  if (view === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
  return view;
}
