import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  AccountAdministrationToken,
  AuditLogToken,
  MembersToken,
  MetadataCacheToken,
  BaseStoreToken,
  DatabaseFilesToken,
  DatabaseObjectsToken,
  RowStoreToken,
  SchemaStoreToken,
  SchemaSyncToken,
  storePermissions,
  TrashToken,
  ViewStoreToken,
  type AccessScope,
  type AccessService,
  type AccountAdministration,
  type AuditLog,
  type Members,
  type MetadataCache,
  type BaseStore,
  type DatabaseFiles,
  type DatabaseObjects,
  type Principal,
  type RowStore,
  type SchemaSync,
  type TableHandle,
  type Trash,
  type ViewStore,
} from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import type { HostSchemaStore } from '../../host-server/schema/schema-store.ts';
import { HostSchemaStoreToken } from '../../host-server/schema/tokens.ts';
import { OpenedTable } from '../../host-server/schema/opened-table.ts';
import { permissionsOf as permissionsOfBase } from '../../plugins/shared-base/server/visitors.ts';
import { permissionsFor } from '../../plugins/shared-views/server/visitors.ts';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** Where a call is made, and what it is made with. */
interface Ground {
  readonly scope: AccessScope;
  readonly tableId: string;
  readonly columnId: string;
  readonly viewId: string;
  /**
   * A handle with the caller's scope that was made with somebody else's: a plugin that mixes them up must still be refused.
   */
  readonly handle: () => TableHandle;
}

interface Call {
  readonly permission: string;
  /** Another one that the call needs as well. */
  readonly also?: string;
  /** Ids that were never given to anything where the call would change something: whoever may do it is told 404 or 400. */
  readonly make: (ground: Ground) => unknown;
}

const unissued = { table: 'md_00000000000000', column: 'cl_00000000000000', view: 'vw_00000000000000' };

function schemaCalls(schema: HostSchemaStore): Record<string, Call> {
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
    // The last one: it leaves nothing to ask for.
    deleteProject: { permission: 'projectDelete', make: ({ scope }) => schema.deleteProject(scope) },
  };
}

function viewCalls(views: ViewStore): Record<string, Call> {
  return {
    create: {
      permission: 'gridViewCreate',
      make: ({ scope, tableId }) => views.create(scope, tableId, { title: '', type: 'grid' }),
    },
    // What is left of it to editors, `view-store.test.ts` tells.
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

function rowCalls(rows: RowStore): Record<string, Call> {
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

function cacheCalls(cache: MetadataCache): Record<string, Call> {
  return {
    list: { permission: 'cacheRead', make: ({ scope }) => cache.list(scope) },
    forget: { permission: 'cacheClear', make: ({ scope }) => cache.forget(scope) },
  };
}

function auditCalls(audit: AuditLog): Record<string, Call> {
  return {
    list: { permission: 'auditList', make: ({ scope }) => audit.list(scope, { limit: 1, offset: 0 }) },
    count: { permission: 'auditList', make: ({ scope }) => audit.count(scope) },
    page: { permission: 'auditList', make: ({ scope }) => audit.page(scope, { limit: 1, offset: 0 }) },
  };
}

/** The rights of a scope without who it is of. */
function nothingButRights(scope: AccessScope): Omit<AccessScope, 'principal'> {
  return {
    projectId: scope.projectId,
    roles: scope.roles,
    seenAs: scope.seenAs,
    requestId: scope.requestId,
    may: (permission) => scope.may(permission),
    require: (permission) => scope.require(permission),
    readableColumns: (table) => scope.readableColumns(table),
    writableColumns: (table) => scope.writableColumns(table),
    computableColumns: (table) => scope.computableColumns(table),
    rowPredicate: (table) => scope.rowPredicate(table),
    changing: (table) => scope.changing(table),
    withRows: (table, rule) => scope.withRows(table, rule),
    inTable: (table) => scope.inTable(table),
    reaches: (table) => scope.reaches(table),
    can: (view, act) => scope.can(view, act),
    isHidden: (viewId) => scope.isHidden(viewId),
    hiddenFrom: (viewId) => scope.hiddenFrom(viewId),
  };
}

function memberCalls(members: Members): Record<string, Call> {
  const nobody = 'us_00000000000000';
  return {
    list: { permission: 'userList', make: ({ scope }) => members.list(scope) },
    givable: { permission: 'userInvite', make: ({ scope }) => members.givable(scope) },
    add: { permission: 'userInvite', make: ({ scope }) => members.add(scope, nobody, 'viewer') },
    setRole: {
      permission: 'projectUserUpdate',
      make: ({ scope }) => members.setRole(scope, nobody, 'viewer'),
    },
    remove: { permission: 'projectUserDelete', make: ({ scope }) => members.remove(scope, nobody) },
    owned: { permission: 'projectRescue', make: ({ scope }) => members.owned(scope) },
    rescue: {
      permission: 'projectRescue',
      make: ({ scope }) => members.rescue(scope, 'p_00000000000000', nobody),
    },
    // In the name of somebody who is no member, so that the members are still there for the next store.
    leave: {
      permission: 'projectLeave',
      make: ({ scope }) =>
        members.leave({
          ...nothingButRights(scope),
          principal: { ...scope.principal, id: nobody },
        }),
    },
  };
}

function accountCalls(accounts: AccountAdministration): Record<string, Call> {
  const nobody = 'us_00000000000000';
  const permission = 'accountUpdate';
  return {
    list: { permission: 'accountList', make: ({ scope }) => accounts.list(scope, { limit: 1, offset: 0 }) },
    read: { permission: 'accountList', make: ({ scope }) => accounts.read(scope, nobody) },
    disable: { permission, make: ({ scope }) => accounts.disable(scope, nobody) },
    enable: { permission, make: ({ scope }) => accounts.enable(scope, nobody) },
    promote: { permission, make: ({ scope }) => accounts.promote(scope, nobody) },
    demote: { permission, make: ({ scope }) => accounts.demote(scope, nobody) },
    endSessions: { permission, make: ({ scope }) => accounts.endSessions(scope, nobody) },
    remove: { permission: 'accountDelete', make: ({ scope }) => accounts.remove(scope, nobody) },
  };
}

function trashCalls(trash: Trash): Record<string, Call> {
  return {
    list: { permission: 'tableDelete', make: ({ scope }) => trash.list(scope) },
    restoreTable: {
      permission: 'tableDelete',
      make: ({ scope }) => trash.restoreTable(scope, unissued.table),
    },
    restoreColumn: {
      permission: 'columnDelete',
      make: ({ scope }) => trash.restoreColumn(scope, unissued.column),
    },
    purgeTable: { permission: 'tableDelete', make: ({ scope }) => trash.purgeTable(scope, unissued.table) },
    purgeColumn: {
      permission: 'columnDelete',
      make: ({ scope }) => trash.purgeColumn(scope, unissued.column),
    },
    listProjects: { permission: 'projectRestore', make: ({ scope }) => trash.listProjects(scope) },
    restoreProject: {
      permission: 'projectRestore',
      make: ({ scope }) => trash.restoreProject(scope, 'p_00000000000000'),
    },
    purgeProject: {
      permission: 'projectPurge',
      make: ({ scope }) => trash.purgeProject(scope, 'p_00000000000000'),
    },
  };
}

function syncCalls(sync: SchemaSync): Record<string, Call> {
  return {
    differences: { permission: 'metaDiff', make: ({ scope }) => sync.differences(scope) },
    apply: { permission: 'metaDiffSync', make: ({ scope }) => sync.apply(scope) },
  };
}

function baseCalls(bases: BaseStore): Record<string, Call> {
  const input = { type: 'unknown' };
  const [also, id] = ['databaseOpen', 'bs_00000000000000'];
  return {
    kinds: { permission: also, make: ({ scope }) => bases.kinds(scope) },
    test: { permission: also, make: ({ scope }) => bases.test(scope, input) },
    testBase: { permission: 'baseUpdate', also, make: ({ scope }) => bases.testBase(scope, id, {}) },
    connection: { permission: 'baseUpdate', also, make: ({ scope }) => bases.connection(scope, id) },
    add: { permission: 'baseCreate', also, make: ({ scope }) => bases.add(scope, input) },
    update: { permission: 'baseUpdate', also, make: ({ scope }) => bases.update(scope, id, {}) },
    remove: { permission: 'baseDelete', also, make: ({ scope }) => bases.remove(scope, id) },
  };
}

function databaseFileCalls(files: DatabaseFiles): Record<string, Call> {
  const permission = 'databaseOpen';
  const sent = () => ({ name: 'x', content: Readable.from([]) });
  return {
    assertRoom: { permission, make: ({ scope }) => files.assertRoom(scope, 1) },
    receive: { permission, make: ({ scope }) => files.receive(scope, sent()) },
    discard: { permission, make: ({ scope }) => files.discard(scope, 'uploads/none.sqlite') },
  };
}

function databaseObjectCalls(objects: DatabaseObjects): Record<string, Call> {
  const [also, permission, id] = ['databaseOpen', 'baseUpdate', 'bs_00000000000000'];
  return {
    list: { permission, also, make: ({ scope }) => objects.list(scope, id) },
    read: { permission, also, make: ({ scope }) => objects.read(scope, id, 'view', 'seen') },
  };
}

/** Methods that take no caller: what the host and a plugin's administration ask; and the stores inside of stores. */
const withoutCaller = new Set([
  'sync',
  'objects',
  'files',
  'limit',
  'release',
  'sweep',
  'trash',
  'bases',
  'loadKind',
  'sweepLoads',
  'resumeJobs',
  'dispose',
  'open',
  'keyOf',
  'record',
  'settlePending',
]);

const file = joinPath(import.meta.dirname, 'store-rights-document.txt');

/** The callers, with the project role that each is to be judged by. */
interface Caller {
  readonly principal: Principal;
  readonly role: string | undefined;
  /** Permissions that the role has and this caller has not. */
  readonly lacks?: readonly string[];
  /** All permissions that there are for this caller, in place of those of a role. */
  readonly has?: readonly string[];
}

describe('the stores', () => {
  let server: TestServer;
  let access: AccessService;
  let ground: Omit<Ground, 'scope' | 'handle'>;
  let whole: TableHandle;
  let projectId = '';
  const callers: Record<string, Caller> = {};
  /** What was found, a line for each call. */
  const found: string[] = [];

  async function member(role: 'creator' | 'editor' | 'commenter' | 'viewer' | undefined): Promise<Principal> {
    const client = await server.signUp(`${role ?? 'stranger'}@example.com`);
    const principal = await principalOf(client, ['user_new']);
    if (role !== undefined) await access.grant(projectId, principal.id, role);
    return principal;
  }

  async function principalOf(
    client: TestClient,
    accountRoles: Principal['accountRoles'],
  ): Promise<Principal> {
    const { body } = await client.get<{ id: string; email: string }>('/api/v1/auth/user/me');
    return { kind: 'user', id: body.id, email: body.email, accountRoles };
  }

  async function join(owner: TestClient, email: string, more: object): Promise<Principal> {
    const client = await server.signUp(email);
    const added = await owner.post(`/api/v1/db/meta/projects/${projectId}/users`, { email, ...more });
    expect(added.status).toBe(200);
    return principalOf(client, ['user_new']);
  }

  async function memberWithCustomRole(owner: TestClient, tableId: string): Promise<Principal> {
    const tables = {
      [tableId]: { access: 'write', create: false, delete: false, columns: {}, newColumns: 'write' },
    };
    const denied = ['exportCsv', 'dataGroupBy'];
    const role = { title: 'Tends', base: 'editor', denied, tables, newTables: 'write' };
    const path = `/api/v1/plugins/sys-members/projects/${projectId}/roles`;
    const { body } = await owner.post<{ id: string }>(path, role);
    return join(owner, 'custom@example.com', { custom_role: body.id });
  }

  async function memberWithRowRule(owner: TestClient, of: typeof ground): Promise<Principal> {
    const condition = { kind: 'condition', columnId: of.columnId, operator: 'eq', value: 'Ada' };
    const path = `/api/v1/plugins/row-rules/projects/${projectId}/rules/${of.tableId}/commenter`;
    expect((await owner.put(path, { filters: [condition] })).status).toBe(200);
    return join(owner, 'ruled@example.com', { roles: 'commenter' });
  }

  beforeAll(async () => {
    server = await createTestServer();
    // A slow machine listens before the last plugins are there; what is asked of them waits for all.
    await server.host.plugins.enable('shared-views');
    access = server.host.container.get(AccessServiceToken);
    const admin = await principalOf(await server.signUp('super@example.com'), ['user', 'super']);
    const owner = await server.signUp('owner@example.com');
    const { id } = await principalOf(owner, ['user']);
    await server.host.container
      .get(SchemaStoreToken)
      .createProject(access.systemScope(undefined, 'test'), { title: 'Taken' });
    const project = await server.host.container
      .get(SchemaStoreToken)
      .createProject(access.systemScope(undefined, 'test'), { title: 'Shop' });
    projectId = project.id;
    await access.grant(projectId, id, 'owner');
    const { body: table } = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    ground = {
      tableId: table.id,
      columnId: table.columns?.[1]?.id ?? '',
      viewId: table.views?.[0]?.id ?? '',
    };
    whole = await server.host.container
      .get(SchemaStoreToken)
      .open(access.systemScope(projectId, 'test'), table.id);
    const ownerPrincipal = await principalOf(owner, ['user']);
    const custom = await memberWithCustomRole(owner, table.id);
    const ruled = await memberWithRowRule(owner, ground);
    const { body: link } = await owner.post<{ uuid: string }>(`/api/v1/db/meta/views/${ground.viewId}/share`);
    const linkId = link.uuid;
    const shared = `/api/v1/db/meta/projects/${projectId}/shared`;
    const { body: base } = await owner.post<{ uuid: string }>(shared, { roles: 'editor' });
    const visitor = { kind: 'sharedView', id: '', email: '', accountRoles: [] } as const;
    Object.assign(callers, {
      owner: { principal: ownerPrincipal, role: 'owner' },
      creator: { principal: await member('creator'), role: 'creator' },
      editor: { principal: await member('editor'), role: 'editor' },
      commenter: { principal: await member('commenter'), role: 'commenter' },
      viewer: { principal: await member('viewer'), role: 'viewer' },
      'somebody of another project': { principal: await member(undefined), role: undefined },
      'the super admin, who is no member': { principal: admin, role: undefined },
      'a guest': { principal: { kind: 'guest', id: '', email: '', accountRoles: [] }, role: undefined },
      "the owner's token as viewer": {
        principal: { ...ownerPrincipal, kind: 'token', credentialId: 'to_1', maximumRole: 'viewer' },
        role: 'viewer',
      },
      "the owner's token that may write": {
        principal: {
          ...ownerPrincipal,
          kind: 'token',
          credentialId: 'to_3',
          maximumRole: 'editor',
          onlyProjects: [projectId],
        },
        role: 'editor',
      },
      "the owner's token for another project": {
        principal: { ...ownerPrincipal, kind: 'token', credentialId: 'to_2', onlyProjects: ['p_other'] },
        role: undefined,
      },
      'an editor whose custom role takes some of it': {
        principal: custom,
        role: 'editor',
        lacks: ['exportCsv', 'dataGroupBy', 'dataInsert', 'bulkDataInsert', 'dataDelete', 'bulkDataDelete'],
      },
      // A rule for rows takes rows, and no permission.
      'a commenter with a rule for rows': { principal: ruled, role: 'commenter' },
      'a visitor of a shared view': {
        principal: { ...visitor, credentialId: linkId, scopeRules: ['shared-views'] },
        role: undefined,
        has: Object.values(permissionsFor).flat(),
      },
      'a visitor with a link that is none': {
        principal: { ...visitor, credentialId: randomUUID(), scopeRules: ['shared-views'] },
        role: undefined,
      },
      'a visitor of a shared view whom no rule knows': { principal: visitor, role: undefined },
      'a visitor of a shared base who may edit': {
        principal: {
          kind: 'sharedBase',
          id: '',
          email: '',
          accountRoles: [],
          credentialId: base.uuid,
          scopeRules: ['shared-base'],
        },
        role: undefined,
        has: [...permissionsOfBase.editor],
      },
      'a visitor of a shared base': {
        principal: { kind: 'sharedBase', id: '', email: '', accountRoles: [], maximumRole: 'viewer' },
        role: 'viewer',
      },
    } satisfies Record<string, Caller>);
  });

  afterAll(() => server?.dispose());

  /** What the table of permissions says, told here a second time and apart from the product's own code. */
  function isAllowed({ principal, role, lacks, has }: Caller, permissionId: string): boolean {
    const permission = storePermissions.find(({ id }) => id === permissionId);
    if (permission === undefined) throw new Error(`'${permissionId}' is no permission`);
    if (lacks?.includes(permissionId) === true) return false;
    if (has !== undefined) return has.includes(permissionId);
    if (permission.scope === 'project')
      return role === 'owner' || role === 'creator' || permission.roles.includes(role as 'viewer');
    const isLimited = principal.maximumRole !== undefined || principal.onlyProjects !== undefined;
    const byRole = principal.accountRoles.some((of) => of === 'super' || permission.roles.includes(of));
    return byRole && (!isLimited || permissionId === 'projectList');
  }

  async function outcomeOf(make: () => unknown): Promise<'refused' | 'heard'> {
    try {
      await make();
      return 'heard';
    } catch (error) {
      const { status } = error as { readonly status?: number };
      return status === 401 || status === 403 ? 'refused' : 'heard';
    }
  }

  async function expectMatrix(named: string, store: object, calls: Record<string, Call>): Promise<void> {
    const methods = Object.keys(store).filter((name) => !withoutCaller.has(name));
    expect(Object.keys(calls).toSorted()).toEqual(methods.toSorted());
    const { snapshot, table, view } = whole;
    for (const [name, { permission, also = permission, make }] of Object.entries(calls)) {
      const isOutside = storePermissions.find(({ id }) => id === permission)?.scope === 'account';
      const marks: string[] = [];
      for (const [who, caller] of Object.entries(callers)) {
        const scope = await access.scopeFor(caller.principal, isOutside ? undefined : projectId, 'test');
        const outcome = await outcomeOf(() =>
          make({ ...ground, scope, handle: () => new OpenedTable({ snapshot, table, view, scope }) }),
        );
        expect([name, who, outcome]).toEqual([
          name,
          who,
          isAllowed(caller, permission) && isAllowed(caller, also) ? 'heard' : 'refused',
        ]);
        marks.push(outcome === 'heard' ? 'x' : '.');
      }
      const needed = [...new Set([permission, also])].join(', ');
      found.push(`${marks.join(' ')}  ${named}.${name}  (${needed})`);
    }
  }

  test('of views refuse whoever lacks the permission, whichever way the call came', async () => {
    const views = server.host.container.get(ViewStoreToken);
    await expectMatrix('views', views, viewCalls(views));
  });

  test('of rows refuse whoever lacks the permission, whichever way the call came', async () => {
    const rows = server.host.container.get(RowStoreToken);
    await expectMatrix('rows', rows, rowCalls(rows));
  });

  test('of databases refuse whoever lacks one of the permissions, whichever way the call came', async () => {
    const bases = server.host.container.get(BaseStoreToken);
    await expectMatrix('bases', bases, baseCalls(bases));
    const objects = server.host.container.get(DatabaseObjectsToken);
    await expectMatrix('objects', objects, databaseObjectCalls(objects));
    const files = server.host.container.get(DatabaseFilesToken);
    await expectMatrix('files', files, databaseFileCalls(files));
  });

  test('of what the server keeps in memory refuse everybody but super admins', async () => {
    const cache = server.host.container.get(MetadataCacheToken);
    await expectMatrix('cache', cache, cacheCalls(cache));
  });

  test('of the audit refuse whoever lacks the permission, whichever way the call came', async () => {
    const audit = server.host.container.get(AuditLogToken);
    await expectMatrix('audit', audit, auditCalls(audit));
  });

  test('of members refuse whoever lacks the permission, whichever way the call came', async () => {
    const members = server.host.container.get(MembersToken);
    await expectMatrix('members', members, memberCalls(members));
  });

  test('of accounts refuse whoever lacks the permission, whichever way the call came', async () => {
    const accounts = server.host.container.get(AccountAdministrationToken);
    await expectMatrix('accounts', accounts, accountCalls(accounts));
  });

  test('of what was deleted and of other databases refuse whoever lacks the permission', async () => {
    const trash = server.host.container.get(TrashToken);
    await expectMatrix('trash', trash, trashCalls(trash));
    const sync = server.host.container.get(SchemaSyncToken);
    await expectMatrix('sync', sync, syncCalls(sync));
  });

  test('of projects, tables and columns refuse whoever lacks the permission, whichever way the call came', async () => {
    const schema = server.host.container.get(HostSchemaStoreToken);
    await expectMatrix('schema', schema, schemaCalls(schema));
  });

  // After all others, which find out what stands in it.
  test('are written down with who is heard', () => {
    const head = Object.keys(callers).map((who, place) => `${'. '.repeat(place)}${who}`);
    const text = [
      'Who is heard by which call of a store: x is heard, . is refused. Written by store-rights.test.ts.',
      '',
      ...head,
      ...found.toSorted((left, right) =>
        (left.split('  ')[1] ?? '').localeCompare(right.split('  ')[1] ?? ''),
      ),
      '',
    ].join('\n');
    if (process.env['TRELLIS_WRITE_REPORTS'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});
