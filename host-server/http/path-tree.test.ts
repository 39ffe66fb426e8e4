import { expect, test } from '@jest/globals';
import { PathTree } from './path-tree.ts';

function treeOf(...paths: readonly string[]): PathTree<string> {
  const tree = new PathTree<string>();
  for (const path of paths) tree.add(path, path);
  return tree;
}

test('a path leads to what was added there, with its parameters', () => {
  const tree = treeOf('/', '/users', '/users/:id', '/users/:id/notes/:noteId');
  expect(tree.find('/')).toEqual({ value: '/', params: {} });
  expect(tree.find('/users')).toEqual({ value: '/users', params: {} });
  expect(tree.find('/users/7')).toEqual({ value: '/users/:id', params: { id: '7' } });
  expect(tree.find('/users/7/notes/8')?.params).toEqual({ id: '7', noteId: '8' });
  expect(tree.find('/users/7/notes')).toBeUndefined();
  expect(tree.find('/people')).toBeUndefined();
});

test('a slash at the end means nothing', () => {
  const tree = treeOf('/users/:id', '/files/');
  expect(tree.find('/users/7/')?.params).toEqual({ id: '7' });
  expect(tree.find('/files')?.value).toBe('/files/');
  expect(tree.find('/users/')).toBeUndefined();
});

test('a text goes before a parameter, which is tried where the text leads nowhere', () => {
  const tree = treeOf('/rows/:id', '/rows/count', '/rows/:id/links', '/rows/count/all');
  expect(tree.find('/rows/count')?.value).toBe('/rows/count');
  expect(tree.find('/rows/count/links')).toEqual({ value: '/rows/:id/links', params: { id: 'count' } });
});

test('an asterisk takes all that is left where nothing else leads on', () => {
  const tree = treeOf('/download/*', '/download/:id/info');
  expect(tree.find('/download/a/b%20c')).toEqual({ value: '/download/*', params: { '*': 'a/b c' } });
  expect(tree.find('/download/a/info')?.params).toEqual({ id: 'a' });
  expect(tree.find('/download')).toBeUndefined();
});

test('what is escaped is read once, and a slash that is escaped divides nothing', () => {
  const tree = treeOf('/users/:id', '/users/:id/notes');
  expect(tree.find('/%75sers/a%2Fb')?.params).toEqual({ id: 'a/b' });
  expect(tree.find('/users/100%2525')?.params).toEqual({ id: '100%25' });
  expect(tree.find('/users/%E0%A4')).toBeUndefined();
});

test('parameters may be called as anything that objects have', () => {
  const { params } = treeOf('/:__proto__/:constructor').find('/a/b') ?? {};
  expect(Object.entries(params ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test('a very long parameter leads nowhere', () => {
  const tree = treeOf('/users/:id');
  expect(tree.find(`/users/${'a'.repeat(2000)}`)).toBeDefined();
  expect(tree.find(`/users/${'a'.repeat(2001)}`)).toBeUndefined();
});

test.each(['/users/:id.json', '/users/:', '/a/*/b', '/a*', '/:from-:to'])('%s is refused', (path) => {
  expect(() => treeOf(path)).toThrow(`The path '${path}' cannot be served`);
});
