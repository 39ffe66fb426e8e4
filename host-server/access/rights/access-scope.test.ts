import { describe, expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { Permission, Principal } from '@trellis/sdk/server';
import { RoleScope } from './access-scope.ts';

const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });
for (const permission of [
  { id: 'dataList', label: 'Read rows', roles: ['editor', 'commenter', 'viewer'], scope: 'project' },
  { id: 'tableCreate', label: 'Create tables', roles: [], scope: 'project' },
  { id: 'projectCreate', label: 'Create projects', roles: ['user'], scope: 'account' },
] satisfies Permission[]) {
  permissions.register(permission, 'test');
}

function principal(patch: Partial<Principal> = {}): Principal {
  return { kind: 'user', id: 'us_1', email: 'a@b.co', accountRoles: ['user'], ...patch };
}

function scope(roles: readonly string[], of: Principal = principal(), projectId: string | undefined = 'p_1') {
  return new RoleScope({ principal: of, projectId, roles, requestId: 'r', permissions });
}

describe('the rights of a role', () => {
  test('an owner and a creator may do everything in their project', () => {
    expect(scope(['owner', 'creator']).may('tableCreate')).toBe(true);
    expect(scope(['creator']).may('dataList')).toBe(true);
  });

  test('a viewer may do what names viewers and nothing else', () => {
    expect(scope(['viewer']).may('dataList')).toBe(true);
    expect(scope(['viewer']).may('tableCreate')).toBe(false);
  });

  test('a permission that nobody registered is denied to everybody', () => {
    expect(scope(['owner', 'creator']).may('toString')).toBe(false);
    expect(scope(['owner']).may('nothing')).toBe(false);
  });

  test('the super admin is nobody in a project that they are not in', () => {
    const superAdmin = principal({ accountRoles: ['user', 'super'] });
    expect(scope([], superAdmin).may('dataList')).toBe(false);
    expect(scope([], superAdmin, undefined).may('projectCreate')).toBe(true);
  });

  test('a new account may not create projects', () => {
    expect(scope([], principal({ accountRoles: ['user_new'] }), undefined).may('projectCreate')).toBe(false);
  });

  test('a refusal names the permission and the roles; a guest is told to sign in', () => {
    expect(() => scope(['viewer']).require('tableCreate')).toThrow('tableCreate - viewer : Not allowed');
    const guest = principal({ kind: 'guest', id: '', accountRoles: [] });
    expect(() => scope([], guest).require('dataList')).toThrow(expect.objectContaining({ status: 401 }));
  });
});

describe('narrowing', () => {
  test('only takes rights away, also when it is done twice', () => {
    const narrowed = scope(['editor'])
      .narrow({
        permissions: new Set(['dataList', 'tableCreate']),
        columns: new Map([['t', new Set(['a', 'b'])]]),
      })
      .narrow({ columns: new Map([['t', new Set(['b', 'c'])]]) });
    expect(narrowed.may('dataList')).toBe(true);
    expect(narrowed.may('tableCreate')).toBe(false);
    expect(narrowed.visibleColumns('t')).toEqual(new Set(['b']));
    expect(narrowed.visibleColumns('other')).toBe('all');
  });

  test('row conditions add up', () => {
    const one = { kind: 'always', value: true } as const;
    const narrowed = scope(['editor']).narrow({ rows: new Map([['t', one]]) });
    expect(narrowed.rowPredicate('t')).toBe(one);
    expect(narrowed.narrow({ rows: new Map([['t', one]]) }).rowPredicate('t')).toEqual({
      kind: 'and',
      items: [one, one],
    });
  });
});
