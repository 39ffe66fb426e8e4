import { expect, test } from '@jest/globals';
import { pluginFiles, textFiles, type ListedPlugin } from './plugin-files.ts';

const plugin = (id: string, manifest: ListedPlugin['manifest'] = {}): ListedPlugin => ({ id, manifest });

test('plugins that the same pages wait for come in one file, the others apart', () => {
  const files = pluginFiles([
    plugin('bell'),
    plugin('form', { contributes: { pages: [{ id: '/form/:id', shows: ['columnTypes'] }] } }),
    plugin('numbers', { contributes: { columnTypes: ['Number'] } }),
    plugin('sign-in', { contributes: { pages: [{ id: '/sign-in' }] }, dependencies: { users: '^1.0.0' } }),
    plugin('texts', { contributes: { columnTypes: ['Text'] } }),
    plugin('users'),
    plugin('webhooks'),
  ]);
  expect([...files.values()]).toEqual([
    ['bell', 'webhooks'],
    ['form', 'numbers', 'texts'],
    ['sign-in', 'users'],
  ]);
  expect([...files.keys()]).toEqual(['plugins-bell-and-1', 'plugins-form-and-2', 'plugins-sign-in-and-1']);
});

test('texts come in one file for what all pages and the sign-in form wait for, one for what some do, and one for the rest', () => {
  const files = textFiles([
    plugin('bell'),
    plugin('form', { contributes: { pages: [{ id: '/form/:id' }] }, dependencies: { users: '^1.0.0' } }),
    plugin('sign-in', { contributes: { pages: [{ id: '/user/*' }] }, dependencies: { users: '^1.0.0' } }),
    plugin('users'),
  ]);
  expect(Object.fromEntries(files)).toEqual({
    bell: 'later',
    form: 'pages',
    'sign-in': 'first',
    users: 'first',
  });
});
