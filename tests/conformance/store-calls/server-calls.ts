import { Readable } from 'node:stream';
import type {
  AccessScope,
  AccountAdministration,
  AuditLog,
  Members,
  MetadataCache,
  BaseStore,
  DatabaseFiles,
  DatabaseObjects,
  SchemaSync,
  Trash,
} from '@trellis/sdk/server';
import { unissued, type Call } from './call.ts';

export function cacheCalls(cache: MetadataCache): Record<string, Call> {
  return {
    list: { permission: 'cacheRead', make: ({ scope }) => cache.list(scope) },
    forget: { permission: 'cacheClear', make: ({ scope }) => cache.forget(scope) },
  };
}

export function auditCalls(audit: AuditLog): Record<string, Call> {
  return {
    list: { permission: 'auditList', make: ({ scope }) => audit.list(scope, { limit: 1, offset: 0 }) },
    count: { permission: 'auditList', make: ({ scope }) => audit.count(scope) },
    page: { permission: 'auditList', make: ({ scope }) => audit.page(scope, { limit: 1, offset: 0 }) },
  };
}

/** The rights of a scope without its person. */
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

export function memberCalls(members: Members): Record<string, Call> {
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
    // For a person who is not a member, so that the members still exist for the next store.
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

export function accountCalls(accounts: AccountAdministration): Record<string, Call> {
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

export function trashCalls(trash: Trash): Record<string, Call> {
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

export function syncCalls(sync: SchemaSync): Record<string, Call> {
  return {
    differences: { permission: 'metaDiff', make: ({ scope }) => sync.differences(scope) },
    apply: { permission: 'metaDiffSync', make: ({ scope }) => sync.apply(scope) },
  };
}

export function baseCalls(bases: BaseStore): Record<string, Call> {
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

export function databaseFileCalls(files: DatabaseFiles): Record<string, Call> {
  const permission = 'databaseOpen';
  const sent = () => ({ name: 'x', content: Readable.from([]) });
  return {
    assertRoom: { permission, make: ({ scope }) => files.assertRoom(scope, 1) },
    receive: { permission, make: ({ scope }) => files.receive(scope, sent()) },
    discard: { permission, make: ({ scope }) => files.discard(scope, 'uploads/none.sqlite') },
  };
}

export function databaseObjectCalls(objects: DatabaseObjects): Record<string, Call> {
  const [also, permission, id] = ['databaseOpen', 'baseUpdate', 'bs_00000000000000'];
  return {
    list: { permission, also, make: ({ scope }) => objects.list(scope, id) },
    read: { permission, also, make: ({ scope }) => objects.read(scope, id, 'view', 'seen') },
  };
}
