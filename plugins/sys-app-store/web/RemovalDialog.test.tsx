import { afterEach, expect, jest, test } from '@jest/globals';
import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { StoreTask } from '../shared/index.ts';
import RemovalDialog from './RemovalDialog.tsx';

const plugin = {
  id: 'acme',
  name: 'Acme',
  version: '1.1.0',
  versions: ['1.1.0', '1.0.0'],
  labels: {
    columnTypes: { Colour: 'Colour of Acme' },
    filterOperators: { near: 'is near' },
    aggregations: { 'mean-colour': 'Mean colour' },
  },
} as unknown as PluginEntity;
const needing = { id: 'acme-more', name: 'More of Acme' } as unknown as PluginEntity;
const column = {
  id: 'cl_1',
  title: 'Wall',
  table: 'Rooms',
  project: 'Walls',
  projectId: 'p_1',
  type: 'Colour',
  fallback: 'SingleLineText',
};
const place = { viewId: 'vw_1', view: 'Blue ones', table: 'Rooms', project: 'Walls' };
const plan: PluginRemovalPlan = {
  columns: [column, { ...column, id: 'cl_2', title: 'Floor' }],
  filters: [
    {
      id: 'fi_1',
      operator: 'near',
      viewId: 'vw_1',
      view: 'Blue ones',
      table: 'Rooms',
      project: 'Walls',
      projectId: 'p_1',
    },
  ],
  inViews: [
    { registry: 'viewAdditions', id: 'acme-badges', count: 1, ...place },
    { registry: 'aggregations', id: 'mean-colour', count: 2, ...place },
    { registry: 'filterOperators', id: 'near', count: 1, ...place },
  ],
  usage: [{ message: 'Colours: {{used}} in 1 table', params: { used: '1 view' } }],
  dependents: ['acme-more'],
  tables: [{ name: 'palettes', rows: 1 }],
  values: 2,
  hasSettings: true,
};
const text = { ...textType, id: 'SingleLineText', label: 'Single line text' };
const path = '/api/v1/app-store/plugins/acme';

const running: StoreTask = {
  id: 'tk_1',
  project_id: '',
  kind: 'sys-app-store.remove',
  title: 'Removal of Acme',
  state: 'running',
  progress: { done: 1, total: 6, note: 'Changing columns' },
  is_cancelling: false,
  is_cancellable: true,
  can_stop: true,
  created_by: 'ada@example.com',
  created_at: '2026-11-21 20:00:00',
  updated_at: '2026-11-21 20:00:10',
  finished_at: null,
  error: null,
};

function open(
  remove: (body: object) => unknown,
  tasks: () => readonly StoreTask[] = () => [],
  ownData: () => unknown = () => ({}),
) {
  const onClose = jest.fn();
  const host = renderWithHost(
    <RemovalDialog plugin={plugin} plugins={[plugin, needing]} onClose={onClose} />,
    {
      registries: { columnTypes: [text] },
      api: ({ method, path: asked, body }) => {
        if (asked === `${path}/removal`) return plan;
        if (asked === `${path}/data`) return ownData();
        if (asked === '/api/v1/app-store/tasks') return { list: tasks() };
        return method === 'POST' && asked === `${path}/remove` ? remove(body as object) : {};
      },
    },
  );
  return { ...host, onClose, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });

afterEach(cleanup);

test('counts what goes along, and has the server change the columns and remove the plugin', async () => {
  const { user, requests, toasts, onClose } = open(() => ({}));
  await button('Remove');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Walls › Rooms › Wall: Colour of Acme → Single line text',
    'Walls › Rooms › Floor: Colour of Acme → Single line text',
    'Walls › Rooms › Blue ones: is near',
    'Walls › Rooms › Blue ones: Mean colour (2)',
    'Walls › Rooms › Blue ones: is near',
    'Walls › Rooms › Blue ones: acme-badges',
    'Colours: 1 view in 1 table',
    'Its own table palettes with 1 row',
    '2 values that it keeps',
    'Its settings and secrets',
    'Its files on the server: versions 1.1.0, 1.0.0',
  ]);
  expect(screen.getByText('2 figures of views show a dash until it is installed again:')).toBeTruthy();
  expect(screen.getByText(/^1 condition of a rule of a view asks by it/)).toBeTruthy();
  expect(screen.getByText(/^1 view keeps what it adds to it/)).toBeTruthy();
  expect(screen.getByText(/need it and go off as well: More of Acme/)).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: /Keep its own data/ }));
  const kept = screen.getByText('What stays until it is installed again:').nextElementSibling;
  expect([...(kept?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Its own table palettes with 1 row',
    '2 values that it keeps',
  ]);
  await user.click(await button('Remove'));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  const sent = requests.filter(({ method }) => method === 'POST');
  expect(sent.map((request) => [request.path, request.body])).toEqual([
    [`${path}/remove`, { cascade: ['acme-more'], keepData: true, leaveColumns: false, releaseColumns: true }],
  ]);
  expect(toasts[0]?.summary).toBe('Acme is removed');
});

test('says which column could not be changed and why, and may leave the columns as they are', async () => {
  const failures = [{ column: 'cl_1', reason: 'The database is away.' }];
  const { user, requests, onClose } = open((body) => {
    if ('releaseColumns' in body) throw new ApiError(409, 'Stays.', 'STAYS_IN_THE_TEST', { failures });
    return {};
  });
  await user.click(await button('Remove'));
  expect((await screen.findByRole('alert')).textContent).toContain('1 column could not be changed');
  expect(
    screen
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
      .slice(0, 4),
  ).toEqual([
    'Walls › Rooms › Wall: Colour of Acme → Single line textThe database is away.',
    'Walls › Rooms › Floor: Colour of Acme → Single line text',
    'Walls › Rooms › Blue ones: is near',
    'Walls › Rooms › Blue ones: Mean colour (2)',
  ]);
  expect(screen.getAllByText(/Rooms › Wall/)).toHaveLength(1);
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('checkbox', { name: /Leave the columns/ }));
  expect(screen.getByText('2 columns can be read and not written:')).toBeTruthy();
  await user.click(await button('Remove'));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(requests.findLast((request) => request.path === `${path}/remove`)?.body).toEqual({
    cascade: ['acme-more'],
    keepData: false,
    leaveColumns: true,
  });
});

test('saves its data as a file, takes nothing away meanwhile, and says why that was not possible', async () => {
  const contents: unknown[] = [];
  // What jsdom lacks of files, and a page that stays where it is.
  const { createObjectURL, revokeObjectURL } = URL;
  Object.assign(URL, {
    createObjectURL: (content: unknown) => `blob:${contents.push(content)}`,
    revokeObjectURL: () => undefined,
  });
  const files: string[] = [];
  const keep = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    files.push(event.target.download);
  };
  document.addEventListener('click', keep);
  let answer = (_: unknown): void => undefined;
  let refuse = (_: Error): void => undefined;
  const { user, requests, onClose } = open(
    () => ({}),
    () => [],
    () => new Promise((resolve, reject) => ([answer, refuse] = [resolve, reject])),
  );
  const save = await button('Save its data');
  const asked = () => requests.filter((request) => request.path === `${path}/data`).length;
  await user.click(save);
  await user.click(save);
  await user.click(await button('Remove'));
  expect([asked(), onClose.mock.calls.length]).toEqual([1, 0]);
  act(() => answer('{"palettes": []}'));
  await waitFor(() => expect([files, contents]).toEqual([['acme-data.json'], ['{"palettes": []}']]));

  await user.click(save);
  act(() => refuse(new ApiError(503, 'The database is away.', 'AWAY_IN_THE_TEST')));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Its data could not be saved: The database is away.',
  );
  await user.click(await button('Remove'));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(files).toHaveLength(1);
  document.removeEventListener('click', keep);
  Object.assign(URL, { createObjectURL, revokeObjectURL });
});

test('shows how far the server is, and cancels it as long as that is safe', async () => {
  let fail = (_error: Error): void => undefined;
  let now = running;
  const { user, requests, receive } = open(
    () => new Promise((_, reject) => (fail = reject)),
    () => [now],
  );
  await user.click(await button('Remove'));
  expect(await screen.findByText('Changing columns…')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('17');
  await user.click(await button('Cancel Removal of Acme'));
  expect(requests.some((of) => of.path === '/api/v1/app-store/tasks/tk_1/cancel')).toBe(true);
  now = { ...running, can_stop: false, progress: { done: 4, total: 6, note: 'Moving files' } };
  act(() => receive({ kind: 'task', projectId: '', task: now }));
  expect(await screen.findByText('Moving files…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel Removal of Acme' })).toBeNull();
  act(() => fail(new ApiError(409, 'It was cancelled.', 'CANCELLED_IN_THE_TEST')));
  expect((await screen.findByRole('alert')).textContent).toContain('It was cancelled.');
});
