import { expect, test } from '@jest/globals';
import type { RouteDefinition } from '@trellis/sdk/server';
import { RouteTable } from './route-table.ts';

function route(method: string, path: string): RouteDefinition {
  return {
    method: method as RouteDefinition['method'],
    path,
    permission: 'public',
    summary: 'Answer',
    handle: async () => undefined,
  };
}

test('a method that no route has is refused, and nothing of its plugin is served', () => {
  const table = new RouteTable();
  expect(() => table.add('loud', [route('GET', '/quiet'), route('YELL', '/loud')])).toThrow(
    /'YELL' of \/loud cannot be served; there are GET, POST/,
  );
  expect(table.find('GET', '/quiet')).toBeUndefined();
});

test('a path that another plugin serves is refused with the names of both', () => {
  const table = new RouteTable();
  table.add('first', [route('GET', '/users/:id')]);
  expect(() => table.add('second', [route('GET', '/users/:userId/')])).toThrow(
    /'second' and 'first' both serve/,
  );
  expect(table.find('GET', '/users/7')).toMatchObject({ kind: 'route', entry: { owner: 'first' } });
});
