import type { RowStore, ViewStore } from '@trellis/sdk/server';
import type { HostSchemaStore } from '../../../host-server/schema/schema-store.ts';
import { unissued, type Call } from './call.ts';

export function schemaCalls(schema: HostSchemaStore): Record<string, Call> {
  return {
    listProjects: { permission: 'projectList', make: ({ scope }) => schema.listProjects(scope) },
    listProjectsWithTable: {
      permission: 'projectList',
      make: ({ scope }) => schema.listProjectsWithTable(scope, 'a', { limit: 1, offset: 0 }),
    },
    listSqliteFiles: { permission: 'databaseOpen', make: ({ scope }) => schema.listSqliteFiles(scope) },
    createProject: {
      permission: 'projectCreate',
      make: ({ scope }) => schema.createProject(scope, { title: 'Taken' }),
    },
    updateProject: { permission: 'projectUpdate', make: ({ scope }) => schema.updateProject(scope, {}) },
    snapshot: { permission: 'projectGet', make: ({ scope }) => schema.snapshot(scope) },
    table: { permission: 'tableGet', make: ({ scope, tableId }) => schema.table(scope, tableId) },
    arrangeRows: {
      permission: 'dataUpdate',
      make: ({ scope }) => schema.arrangeRows(scope, unissued.table),
    },
    createTable: {
      permission: 'tableCreate',
      make: ({ scope }) => schema.createTable(scope, { title: '', columns: [] }),
    },
    updateTable: {
      permission: 'tableUpdate',
      make: ({ scope }) => schema.updateTable(scope, unissued.table, {}),
    },
    reorderTable: {
      permission: 'tableReorder',
      make: ({ scope }) => schema.reorderTable(scope, unissued.table, 1),
    },
    deleteTable: {
      permission: 'tableDelete',
      make: ({ scope }) => schema.deleteTable(scope, unissued.table),
    },
    createColumn: {
      permission: 'columnAdd',
      make: ({ scope }) => schema.createColumn(scope, unissued.table, { title: 'x', type: 'Number' }),
    },
    duplicateColumn: {
      permission: 'columnAdd',
      make: ({ scope }) => schema.duplicateColumn(scope, unissued.column),
    },
    tableUses: {
      permission: 'tableGet',
      make: ({ scope }) => schema.tableUses(scope, unissued.table),
    },
    columnUses: {
      permission: 'tableGet',
      make: ({ scope }) => schema.columnUses(scope, unissued.column),
    },
    openDraft: {
      permission: 'columnAdd',
      make: ({ scope }) => schema.openDraft(scope, unissued.table, { type: 'Formula', meta: {} }),
    },
    columnsTooLarge: {
      permission: 'tableGet',
      make: ({ scope }) => schema.columnsTooLarge(scope, unissued.table),
    },
    tryColumnUpdate: {
      permission: 'columnUpdate',
      make: ({ scope }) => schema.tryColumnUpdate(scope, unissued.column, {}),
    },
    updateColumn: {
      permission: 'columnUpdate',
      make: ({ scope }) => schema.updateColumn(scope, unissued.column, {}),
    },
    deleteColumn: {
      permission: 'columnDelete',
      make: ({ scope }) => schema.deleteColumn(scope, unissued.column),
    },
    setDisplayColumn: {
      permission: 'columnSetAsPrimary',
      make: ({ scope }) => schema.setDisplayColumn(scope, unissued.column),
    },
    // Last, because nothing is left afterwards.
    deleteProject: { permission: 'projectDelete', make: ({ scope }) => schema.deleteProject(scope) },
  };
}

export function viewCalls(views: ViewStore): Record<string, Call> {
  return {
    create: {
      permission: 'gridViewCreate',
      make: ({ scope, tableId }) => views.create(scope, tableId, { title: '', type: 'grid' }),
    },
    // `view-store.test.ts` tests what editors may still do.
    update: { permission: 'viewArrange', make: ({ scope }) => views.update(scope, unissued.view, {}) },
    delete: { permission: 'personalViewEdit', make: ({ scope }) => views.delete(scope, unissued.view) },
    setAllColumns: {
      permission: 'showAllColumns',
      make: ({ scope }) => views.setAllColumns(scope, unissued.view, 'show', []),
    },
    setColumn: {
      permission: 'gridColumnUpdate',
      make: ({ scope, viewId, columnId }) => views.setColumn(scope, viewId, columnId, {}),
    },
    createGroup: {
      permission: 'viewUpdate',
      make: ({ scope }) => views.createGroup(scope, unissued.table, 'Group'),
    },
    updateGroup: {
      permission: 'viewUpdate',
      make: ({ scope }) => views.updateGroup(scope, unissued.table, 'vg_00000000000000', {}),
    },
    deleteGroup: {
      permission: 'viewUpdate',
      make: ({ scope }) => views.deleteGroup(scope, unissued.table, 'vg_00000000000000'),
    },
    createSort: {
      permission: 'sortCreate',
      make: ({ scope, columnId }) => views.createSort(scope, unissued.view, { columnId, direction: 'asc' }),
    },
    updateSort: {
      permission: 'sortUpdate',
      make: ({ scope }) => views.updateSort(scope, 'so_00000000000000', {}),
    },
    setSorts: {
      permission: 'sortCreate',
      make: ({ scope }) => views.setSorts(scope, unissued.view, []),
    },
    deleteSort: {
      permission: 'sortDelete',
      make: ({ scope }) => views.deleteSort(scope, 'so_00000000000000'),
    },
    createFilter: {
      permission: 'filterCreate',
      make: ({ scope }) => views.createFilter(scope, unissued.view, { isGroup: true }),
    },
    updateFilter: {
      permission: 'filterUpdate',
      make: ({ scope }) => views.updateFilter(scope, 'fi_00000000000000', {}),
    },
    setFilters: {
      permission: 'filterCreate',
      make: ({ scope }) => views.setFilters(scope, unissued.view, []),
    },
    deleteFilter: {
      permission: 'filterDelete',
      make: ({ scope }) => views.deleteFilter(scope, 'fi_00000000000000'),
    },
  };
}

export function rowCalls(rows: RowStore): Record<string, Call> {
  const page = { limit: 1, offset: 0 };
  const nowhere = { where: '(Name,eq,nobody)' };
  const pair = { key: '1', linkId: 'ln_00000000000000', other: '1' };
  return {
    list: { permission: 'dataList', make: ({ handle }) => rows.list(handle(), {}, page) },
    page: { permission: 'dataList', make: ({ handle }) => rows.page(handle(), {}, page) },
    pageJson: {
      permission: 'dataList',
      make: ({ handle }) => rows.pageJson(handle(), {}, page, { count: true }),
    },
    groups: {
      permission: 'dataGroupBy',
      make: ({ handle }) => rows.groups(handle(), {}, { by: 'Name', perGroup: 1 }),
    },
    nested: { permission: 'dataList', make: ({ handle }) => rows.nested(handle(), {}, page, []) },
    linked: {
      permission: 'hmList',
      make: ({ handle }) => rows.linked(handle(), { key: '1', linkId: 'ln_00000000000000' }, {}, page),
    },
    link: { permission: 'relationDataAdd', make: ({ handle }) => rows.link(handle(), pair) },
    unlink: { permission: 'relationDataRemove', make: ({ handle }) => rows.unlink(handle(), pair) },
    setLinks: {
      permission: 'relationDataAdd',
      make: ({ handle }) => rows.setLinks(handle(), pair.linkId, []),
    },
    load: {
      permission: 'bulkDataInsert',
      make: ({ handle }) => rows.load(handle(), (async function* () {})()),
    },
    check: { permission: 'dataInsert', make: ({ handle }) => rows.check(handle(), {}) },
    restore: {
      permission: 'bulkDataInsert',
      also: 'tableCreate',
      make: ({ handle }) => rows.restore(handle(), []),
    },
    count: { permission: 'dataCount', make: ({ handle }) => rows.count(handle(), {}) },
    aggregate: { permission: 'dataGroupBy', make: ({ handle }) => rows.aggregate(handle(), {}, []) },
    groupFigures: { permission: 'dataGroupBy', make: ({ handle }) => rows.groupFigures(handle(), {}, []) },
    read: { permission: 'dataRead', make: ({ handle }) => rows.read(handle(), '1') },
    history: { permission: 'dataRead', make: ({ handle }) => rows.history(handle(), '1', { limit: 1 }) },
    deletions: { permission: 'deletionList', make: ({ scope }) => rows.deletions(scope, { limit: 1 }) },
    conditionOf: { permission: 'dataList', make: ({ handle }) => rows.conditionOf(handle()) },
    reachOf: {
      permission: 'dataList',
      make: ({ handle }) => rows.reachOf(handle(), { kind: 'always', value: true }),
    },
    exists: { permission: 'dataExist', make: ({ handle }) => rows.exists(handle(), '1') },
    findOne: { permission: 'dataFindOne', make: ({ handle }) => rows.findOne(handle(), {}) },
    groupBy: {
      permission: 'dataGroupBy',
      make: ({ handle }) => rows.groupBy(handle(), 'name', {}, page),
    },
    stream: {
      permission: 'exportCsv',
      make: ({ handle }) => rows.stream(handle(), {}),
    },
    snapshot: {
      permission: 'exportCsv',
      make: async ({ handle }) => {
        const snapshot = rows.snapshot();
        try {
          return await snapshot.stream(handle(), {});
        } finally {
          await snapshot.close();
        }
      },
    },
    create: { permission: 'dataInsert', make: ({ handle }) => rows.create(handle(), { Name: 'Ada' }) },
    update: { permission: 'dataUpdate', make: ({ handle }) => rows.update(handle(), '999', { Name: 'x' }) },
    revise: {
      permission: 'dataUpdate',
      make: ({ handle }) => rows.revise(handle(), { key: '999', column: 'Name' }, () => 'x'),
    },
    delete: { permission: 'dataDelete', make: ({ handle }) => rows.delete(handle(), '999') },
    createMany: { permission: 'bulkDataInsert', make: ({ handle }) => rows.createMany(handle(), []) },
    move: {
      permission: 'bulkDataUpdate',
      also: 'dataUpdate',
      make: ({ handle }) => rows.move(handle(), [], { side: 'before', row: '1' }),
    },
    updateMany: { permission: 'bulkDataUpdate', make: ({ handle }) => rows.updateMany(handle(), []) },
    deleteMany: { permission: 'bulkDataDelete', make: ({ handle }) => rows.deleteMany(handle(), []) },
    updateAll: {
      permission: 'bulkDataUpdate',
      make: ({ handle }) => rows.updateAll(handle(), nowhere, { Name: 'x' }),
    },
    deleteAll: { permission: 'bulkDataDelete', make: ({ handle }) => rows.deleteAll(handle(), nowhere) },
    purge: { permission: 'deletionPurge', make: ({ scope }) => rows.purge(scope, 'no-such-operation') },
    undo: { permission: 'bulkDataUpdate', make: ({ scope }) => rows.undo(scope, 'no-such-operation') },
  };
}
