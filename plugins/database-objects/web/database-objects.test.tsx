import { afterEach, expect, test } from '@jest/globals';
import type { ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import ObjectsTab from './ObjectsTab.tsx';
import ObjectTab from './ObjectTab.tsx';
import { piecesOf } from './sql-words.ts';

const project = aProject({ id: 'p_1', title: 'Shop' });
const base = { id: 'bs_1', type: 'pg', alias: 'Store', is_meta: false };
const path = '/api/v1/plugins/database-objects/projects/p_1/bases/bs_1/objects';
const net = { kind: 'function', id: 'net(gross numeric)', name: 'net', about: 'gross numeric' };
const details = {
  ...net,
  definition: "CREATE FUNCTION net() AS $$ select 'x' $$ -- why",
  parameters: [{ name: 'gross', type: 'numeric(10,2)', mode: 'in' }],
  returns: 'numeric',
  language: 'sql',
};

afterEach(cleanup);

test('the list says how many there are, is narrowed by kind and name, and opens what was chosen', async () => {
  const { requests, host } = renderWithHost(<ObjectsTab project={project} />, {
    project,
    api: {
      'GET /api/v1/db/meta/projects/p_1': { ...project, bases: [base] },
      [`GET ${path}`]: { list: [net], counts: { view: 0, function: 250 } },
    },
  });
  const user = userEvent.setup();
  await screen.findByText('1 of 250 are shown. Search by name to find others.');
  await user.click(screen.getByRole('button', { name: 'Functions 250' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'ne');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ kind: 'function', search: 'ne' }));
  // Not one for every letter: each reads the catalogue of the database.
  expect(requests.filter(({ query }) => query?.search !== undefined)).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: /net/ }));
  expect(host.shell.activeTab).toMatchObject({
    type: 'function',
    key: 'bs_1:net(gross numeric)',
    name: 'net(gross numeric)',
  });
});

test('the list stays while another is read, and so does the focus of the button that asked for it', async () => {
  let answer = (): void => undefined;
  const list = ({ query }: ApiRequest) =>
    query?.kind === undefined
      ? { list: [net], counts: { view: 0, function: 1 } }
      : new Promise((resolve) => {
          answer = () => resolve({ list: [], counts: { view: 0, function: 1 } });
        });
  renderWithHost(<ObjectsTab project={project} />, {
    project,
    api: {
      'GET /api/v1/db/meta/projects/p_1': { ...project, bases: [base] },
      [`GET ${path}`]: list,
    },
  });
  const views = await screen.findByRole('button', { name: 'Views of the database 0' });
  await userEvent.click(views);
  expect(views.isConnected && document.activeElement === views).toBe(true);
  expect(screen.getByRole('button', { name: /^net/ })).toBeTruthy();
  answer();
  expect(await screen.findByText('There is nothing of this kind')).toBeTruthy();
  expect(document.activeElement).toBe(views);
});

test('a project without a connected database has nothing to list', async () => {
  renderWithHost(<ObjectsTab project={project} />, {
    api: { 'GET /api/v1/db/meta/projects/p_1': { ...project, bases: [{ ...base, is_meta: true }] } },
  });
  expect(await screen.findByText('No database is connected')).toBeTruthy();
});

test('an object shows its definition, its parameters and what it gives back', async () => {
  const tab = { type: 'function', key: 'bs_1:net(gross numeric)', name: 'net' };
  const { requests } = renderWithHost(<ObjectTab project={project} tab={tab} />, {
    api: { [`GET ${path}/one`]: details },
  });
  const definition = await screen.findByRole('region', { name: 'Definition' });
  expect(definition.textContent).toBe(details.definition);
  expect(screen.getByText('Function · returns numeric · written in sql')).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Parameters' }).textContent).toContain('numeric(10,2)');
  expect(requests.at(-1)?.query).toEqual({ kind: 'function', id: 'net(gross numeric)' });
});

test('an object without a definition says why that may be', async () => {
  const tab = { type: 'function', key: 'bs_1:net', name: 'net' };
  renderWithHost(<ObjectTab project={project} tab={tab} />, {
    api: { [`GET ${path}/one`]: { ...details, definition: undefined } },
  });
  expect(await screen.findByText(/^The database tells no definition/)).toBeTruthy();
});

test.each([
  [
    "select 'it''s' from \"select\" -- no",
    ['keyword', 'plain', 'string', 'plain', 'keyword', 'plain', 'comment'],
  ],
  ['/* open', ['comment']],
  ['a-1 / [from]', ['plain', 'number', 'plain']],
])('the pieces of %s are coloured by what they are, and lose no letter', (sql, kinds) => {
  const pieces = piecesOf(sql);
  expect(pieces.map(({ text }) => text).join('')).toBe(sql);
  expect(pieces.map(({ kind }) => kind)).toEqual(kinds);
});
