import { describe, expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { Narrowing, Permission, Principal, ViewAct } from '@trellis/sdk/server';
import fc from 'fast-check';
import { RoleScope } from './access-scope.ts';

const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });
for (const permission of [
  { id: 'dataList', label: 'Read rows', roles: ['editor', 'commenter', 'viewer'], scope: 'project' },
  { id: 'dataInsert', label: 'Add a row', roles: ['editor'], scope: 'project' },
  { id: 'tableCreate', label: 'Create tables', roles: [], scope: 'project' },
  { id: 'projectCreate', label: 'Create projects', roles: ['user'], scope: 'account' },
] satisfies Permission[]) {
  permissions.register(permission, 'test');
}

const permissionIds = ['dataList', 'dataInsert', 'tableCreate', 'projectCreate'];
const acts: readonly ViewAct[] = ['see', 'read', 'change', 'lock', 'delete', 'share'];
const views = [
  { id: 'a', tableId: 't', lockType: 'collaborative', ownerId: undefined },
  { id: 'b', tableId: 't', lockType: 'locked', ownerId: 'us_2' },
  { id: 'c', tableId: 't', lockType: 'personal', ownerId: 'us_1' },
  { id: 'd', tableId: 't', lockType: 'personal', ownerId: 'us_2' },
] as const;

function isWithin(part: 'all' | ReadonlySet<string>, whole: 'all' | ReadonlySet<string>): boolean {
  return whole === 'all' || (part !== 'all' && [...part].every((id) => whole.has(id)));
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
        columns: new Map([['t', { readable: new Set(['a', 'b']) }]]),
      })
      .narrow({ columns: new Map([['t', { readable: new Set(['b', 'c']) }]]) });
    expect(narrowed.may('dataList')).toBe(true);
    expect(narrowed.may('tableCreate')).toBe(false);
    expect(narrowed.readableColumns('t')).toEqual(new Set(['b']));
    expect(narrowed.readableColumns('other')).toBe('all');
  });

  test('columns that are not readable are not writable either, unless they are named as writable', () => {
    const reads = scope(['editor']).narrow({ columns: new Map([['t', { readable: new Set(['a']) }]]) });
    expect(reads.writableColumns('t')).toEqual(new Set(['a']));
    const form = scope(['editor']).narrow({
      columns: new Map([['t', { readable: new Set(), writable: new Set(['b']) }]]),
    });
    expect([form.readableColumns('t'), form.writableColumns('t')]).toEqual([new Set(), new Set(['b'])]);
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

  test('a limit by role leaves what both roles have, and shows as the lower one', () => {
    const limited = scope(['owner', 'creator']).narrow({ maximumRole: 'viewer' });
    expect([limited.may('dataList'), limited.may('tableCreate'), limited.roles]).toEqual([
      true,
      false,
      ['viewer'],
    ]);
    const above = scope(['viewer']).narrow({ maximumRole: 'editor' });
    expect([above.may('dataInsert'), above.roles]).toEqual([false, ['viewer']]);
  });

  test('a credential with a role or with projects has no right of its account in a project', () => {
    const superAdmin = { accountRoles: ['user', 'super'] } as const;
    const inProject = (patch: Partial<Principal>) =>
      scope(['owner', 'creator'], principal({ ...superAdmin, ...patch }));
    expect(inProject({}).may('projectCreate')).toBe(true);
    expect(inProject({ kind: 'token', maximumRole: 'owner' }).may('projectCreate')).toBe(false);
    expect(inProject({ kind: 'token', onlyProjects: ['p_1'] }).may('projectCreate')).toBe(false);
    expect(inProject({}).narrow({ maximumRole: 'creator' }).may('projectCreate')).toBe(false);
  });

  test('no sequence of narrowings gives anything that a part of it does not give', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c')).map((list) => new Set(list));
    const part = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
    const narrowing: fc.Arbitrary<Narrowing> = fc.record({
      permissions: part(fc.uniqueArray(fc.constantFrom(...permissionIds)).map((list) => new Set(list))),
      maximumRole: part(fc.constantFrom('owner', 'creator', 'editor', 'commenter', 'viewer')),
      columns: part(
        fc.record({ readable: part(ids), writable: part(ids) }).map((columns) => new Map([['t', columns]])),
      ),
      views: part(ids),
    });
    const anyRoles = fc.constantFrom(['owner', 'creator'], ['creator'], ['editor'], ['viewer'], []);
    const kind = fc.constantFrom('user', 'token', 'sharedView', 'guest', 'system');
    fc.assert(
      fc.property(anyRoles, kind, fc.array(narrowing), narrowing, (roles, kindOfCaller, before, last) => {
        const wide = before.reduce(
          (of, to) => of.narrow(to),
          scope(roles, principal({ kind: kindOfCaller })),
        );
        const narrow = wide.narrow(last);
        for (const id of permissionIds) expect(wide.may(id) || !narrow.may(id)).toBe(true);
        expect(isWithin(narrow.readableColumns('t'), wide.readableColumns('t'))).toBe(true);
        expect(isWithin(narrow.writableColumns('t'), wide.writableColumns('t'))).toBe(true);
        for (const act of acts) {
          for (const view of [undefined, ...views])
            expect(wide.can(view, act) || !narrow.can(view, act)).toBe(true);
        }
      }),
    );
  });
});

describe('a table', () => {
  const left = new Set(['dataList']);
  const seen = scope(['creator']).narrow({
    tables: new Map([
      ['t', left],
      ['gone', new Set()],
    ]),
  });

  test('keeps the permissions that a rule leaves in it, and other tables keep theirs', () => {
    const inside = seen.inTable('t');
    expect(['dataList', 'tableCreate'].map((id) => inside.may(id))).toEqual([true, false]);
    expect(inside.inTable('other').may('tableCreate')).toBe(true);
    expect(seen.may('tableCreate')).toBe(true);
  });

  test('that no rule names has what the rules leave of others', () => {
    const limited = seen.narrow({ tables: new Map([['t', left]]), otherTables: new Set() });
    expect([limited.reaches('t'), limited.reaches('other')]).toEqual([true, false]);
    const reading = seen.narrow({ otherTables: left }).inTable('other');
    expect(['dataList', 'tableCreate'].map((id) => reading.may(id))).toEqual([true, false]);
  });

  test('of which nothing is left has no columns and no views', () => {
    expect([seen.reaches('t'), seen.reaches('gone')]).toEqual([true, false]);
    expect([seen.readableColumns('gone'), seen.writableColumns('gone')]).toEqual([new Set(), new Set()]);
    expect(seen.can({ ...views[0], tableId: 'gone' }, 'see')).toBe(false);
  });
});

describe('a view', () => {
  const allowed = (of: RoleScope, view: (typeof views)[number]) => acts.filter((act) => of.can(view, act));
  const [open, locked, own, foreign] = views;

  test('is hidden from those who see the project by a role, also from visitors', () => {
    const hiding = { hiddenViewsOf: new Map([['viewer', new Set(['a'])]] as const) };
    const visitor = principal({ kind: 'sharedBase', id: '' });
    expect(scope(['editor']).narrow(hiding).isHidden('a')).toBe(false);
    expect(scope(['viewer']).narrow(hiding).isHidden('a')).toBe(true);
    expect(scope(['owner', 'creator']).narrow(hiding).narrow({ maximumRole: 'viewer' }).isHidden('a')).toBe(
      true,
    );
    expect(scope([], visitor).narrow(hiding).narrow({ maximumRole: 'viewer' }).isHidden('a')).toBe(true);
    expect(scope([], visitor).narrow(hiding).narrow({ maximumRole: 'editor' }).isHidden('a')).toBe(false);
  });

  test('that is hidden from the own role stays hidden under a limit by another role, and so do rows', () => {
    const rule = { kind: 'always', value: false } as const;
    const editor = scope(['editor']).narrow({
      hiddenViewsOf: new Map([['editor', new Set(['a'])]]),
      rowsOf: new Map([['editor', new Map([['t', rule]])]]),
    });
    for (const limited of [
      editor,
      editor.narrow({ maximumRole: 'viewer' }),
      editor.narrow({ maximumRole: 'owner' }),
    ]) {
      expect(limited.isHidden('a')).toBe(true);
      expect(limited.rowPredicate('t')).toEqual(rule);
    }
  });

  test('is open to everybody, locked against changes, or its owner’s alone', () => {
    const creator = scope(['creator']);
    expect(allowed(creator, open)).toEqual(acts);
    expect(allowed(creator, locked)).toEqual(['see', 'read', 'lock', 'share']);
    expect(allowed(creator, own)).toEqual(acts);
    expect(allowed(creator, foreign)).toEqual([]);
    expect(allowed(scope(['owner'], principal({ kind: 'system', id: '' })), foreign)).toEqual(acts);
  });

  test('is all that a scope of some views reaches: not the table, not other views', () => {
    const shared = scope(['editor']).narrow({ views: new Set(['a']) });
    expect([allowed(shared, open), allowed(shared, locked)]).toEqual([acts, []]);
    expect([shared.can(undefined, 'read'), scope(['editor']).can(undefined, 'read')]).toEqual([false, true]);
  });

  test('is only read by the visitor of a link', () => {
    expect(allowed(scope([], principal({ kind: 'sharedView', id: '' })), open)).toEqual(['see', 'read']);
  });
});
