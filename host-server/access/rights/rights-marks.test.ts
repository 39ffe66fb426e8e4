import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { Narrowing, Permission } from '@trellis/sdk/server';
import { createSecrets } from '../secrets/secrets.ts';
import { RoleScope } from './access-scope.ts';
import { createMarks } from './rights-marks.ts';

const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });

function scope(requestId: string, ...narrowings: readonly Narrowing[]): RoleScope {
  const principal = { kind: 'user', id: 'us_1', email: 'a@b.co', accountRoles: [] } as const;
  return new RoleScope(
    { principal, projectId: 'p_1', roles: ['editor'], requestId, permissions },
    narrowings,
  );
}

test('two scopes have one mark as long as nothing else is left, on every server with the same secret', () => {
  const [mark, elsewhere] = [createMarks(createSecrets('a')), createMarks(createSecrets('a'))];
  const hiding = (...ids: readonly string[]): Narrowing => ({
    columns: new Map([['t', { readable: new Set(ids) }]]),
  });
  const seen = mark(scope('one', hiding('a', 'b')));
  expect(mark(scope('two', hiding('a', 'b')))).toBe(seen);
  expect(elsewhere(scope('one', hiding('a', 'b')))).toBe(seen);
  expect(createMarks(createSecrets('b'))(scope('one', hiding('a', 'b')))).not.toBe(seen);
  const others = [
    hiding('a'),
    hiding(),
    { maximumRole: 'viewer' as const },
    { otherTables: new Set<string>() },
  ];
  const marks = [seen, mark(scope('one')), ...others.map((narrowing) => mark(scope('one', narrowing)))];
  expect(new Set(marks).size).toBe(marks.length);
});
