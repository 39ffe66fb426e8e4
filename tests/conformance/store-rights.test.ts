import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
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
  type AccessService,
  type Principal,
  type TableHandle,
} from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { HostSchemaStoreToken } from '../../host-server/schema/tokens.ts';
import { OpenedTable } from '../../host-server/schema/opened-table.ts';
import { permissionsOf as permissionsOfBase } from '../../plugins/shared-base/server/visitors.ts';
import { permissionsFor } from '../../plugins/shared-views/server/visitors.ts';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { withoutCaller, type Call, type Ground } from './store-calls/call.ts';
import { schemaCalls, viewCalls, rowCalls } from './store-calls/data-calls.ts';
import {
  cacheCalls,
  auditCalls,
  memberCalls,
  accountCalls,
  trashCalls,
  syncCalls,
  baseCalls,
  databaseFileCalls,
  databaseObjectCalls,
} from './store-calls/server-calls.ts';

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
