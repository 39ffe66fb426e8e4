import { afterEach, expect, jest, test } from '@jest/globals';
import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import RemovalDialog from './RemovalDialog.tsx';

const plugin = {
  id: 'acme',
  name: 'Acme',
  version: '1.1.0',
  versions: ['1.1.0', '1.0.0'],
} as unknown as PluginEntity;
const column = {
  id: 'cl_1',
  title: 'Wall',
  table: 'Rooms',
  project: 'Walls',
  projectId: 'p_1',
  type: 'Colour',
  fallback: 'SingleLineText',
};
const plan: PluginRemovalPlan = {
  columns: [column, { ...column, id: 'cl_2', title: 'Floor' }],
  usage: ['Colours: 1 view in 1 table'],
  dependents: ['acme-more'],
  tables: [{ name: 'palettes', rows: 1 }],
  values: 2,
  hasSettings: true,
};
const path = '/api/v1/app-store/plugins/acme';

function open(release: (body: { readonly column: string }) => unknown) {
  const onClose = jest.fn();
  const host = renderWithHost(<RemovalDialog plugin={plugin} onClose={onClose} />, {
    api: ({ method, path: asked, body }) => {
      if (asked === `${path}/removal`) return plan;
      return method === 'POST' && asked === `${path}/release-column`
        ? release(body as { column: string })
        : {};
    },
  });
  return { ...host, onClose, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });

afterEach(cleanup);

test('counts what goes along, changes the columns first and then removes the plugin', async () => {
  const { user, requests, toasts, onClose } = open(() => ({}));
  await button('Remove');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Walls › Rooms › Wall: Colour → SingleLineText',
    'Walls › Rooms › Floor: Colour → SingleLineText',
    'Colours: 1 view in 1 table',
    'Its own table palettes with 1 row',
    '2 values that it keeps',
    'Its settings and secrets',
    'All its versions on the server: 1.1.0, 1.0.0',
  ]);
  expect(screen.getByText(/need it and go off as well: acme-more/)).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: /Keep its own data/ }));
  await user.click(await button('Remove'));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  const sent = requests.filter(({ method }) => method === 'POST');
  expect(sent.map((request) => [request.path, request.body])).toEqual([
    [`${path}/release-column`, { column: 'cl_1' }],
    [`${path}/release-column`, { column: 'cl_2' }],
    [`${path}/remove`, { cascade: ['acme-more'], keepData: true, leaveColumns: false }],
  ]);
  expect(toasts[0]?.summary).toBe('Acme is removed');
});

test('goes on after a column that cannot be changed, says which and why, and may leave the columns as they are', async () => {
  const { user, requests, onClose } = open(({ column: id }) => {
    if (id === 'cl_1') throw new ApiError(503, 'The database is away.', 'AWAY_IN_THE_TEST');
    return {};
  });
  await user.click(await button('Remove'));
  expect((await screen.findByRole('alert')).textContent).toContain('1 column could not be changed');
  expect(
    screen
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
      .slice(0, 3),
  ).toEqual([
    'Walls › Rooms › Wall: Colour → SingleLineTextThe database is away.',
    'Walls › Rooms › Floor: Colour → SingleLineText',
    'Colours: 1 view in 1 table',
  ]);
  expect(screen.getAllByText(/Rooms › Wall/)).toHaveLength(1);
  expect(
    requests.filter((request) => request.path === `${path}/release-column`).map(({ body }) => body),
  ).toEqual([{ column: 'cl_1' }, { column: 'cl_2' }]);
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('checkbox', { name: /Leave the columns/ }));
  await user.click(await button('Remove'));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(requests.find((request) => request.path === `${path}/remove`)?.body).toMatchObject({
    leaveColumns: true,
  });
});

test('can be stopped between two columns, and then the plugin stays', async () => {
  let answer = (_left: object): void => undefined;
  const { user, requests } = open(() => new Promise((resolve) => (answer = resolve)));
  await user.click(await button('Remove'));
  expect((await screen.findByText('0 of 2 columns are changed')).textContent).toBeTruthy();
  await user.click(await button('Stop after this column'));
  answer({ left: 1 });
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(requests.some((request) => request.path === `${path}/remove`)).toBe(false);
});
