import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import type { ApiRequest, WebViewType } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useViewActions } from './use-view-actions.ts';

afterEach(cleanup);

const board: WebViewType = {
  id: 'kanban',
  label: 'Board',
  icon: 'table',
  View: () => null,
  missingColumns: ({ columns }, { t }) =>
    columns?.some(({ uidt }) => uidt === 'Choice') === true
      ? undefined
      : {
          message: t('A board needs choices.'),
          columns: [
            { title: 'Status', uidt: 'Choice', colOptions: { options: [{ title: 'To do' }] } },
            { title: 'Since', uidt: 'Text' },
          ],
        },
};

function MakeBoard(props: { readonly project: ProjectEntity; readonly table: TableEntity }) {
  const actions = useViewActions(props.project, props.table, []);
  return <button onClick={() => void actions.create({ type: 'kanban', title: 'Mine' })}>Make it</button>;
}

async function make({
  table = aTable([aColumn('cl_1', 'Name'), aColumn('cl_2', 'status')]),
  project = aProject(),
  agrees = true,
  answer = () => ({ id: 'vw_1' }) as ViewEntity,
}: {
  readonly table?: TableEntity;
  readonly project?: ProjectEntity;
  readonly agrees?: boolean;
  readonly answer?: (request: ApiRequest) => object;
} = {}) {
  const whole = aTable([aColumn('cl_1', 'Name')]);
  const memory = renderWithHost(<MakeBoard project={project} table={table} />, {
    registries: { viewTypes: [board], columnTypes: [textType] },
    confirm: () => agrees,
    api: (request) => (request.method === 'GET' ? whole : answer(request)),
  });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Make it' }));
  const sent = () =>
    memory.requests
      .filter(({ method = 'GET' }) => method !== 'GET')
      .map(({ path, body }) => [path.split('/').at(-1), body]);
  return { ...memory, sent };
}

const view = ['views', { title: 'Mine', type: 'kanban' }];
const made = (title: string) => [
  'columns',
  { title, uidt: 'Choice', colOptions: { options: [{ title: 'To do' }] } },
];
const since = ['columns', { title: 'Since', uidt: 'Text' }];

test('the columns that a view cannot be without are made with it, under names that are free', async () => {
  const { sent, questions } = await make();
  await waitFor(() => expect(sent()).toEqual([made('Status 2'), since, view]));
  expect(questions.map(({ message }) => message)).toEqual(['A board needs choices.']);
});

test('a list of tables does not know the columns, which are then read', async () => {
  const { sent } = await make({ table: { ...aTable([]), columns: undefined } });
  await waitFor(() => expect(sent()).toEqual([made('Status'), since, view]));
});

test('who does not want the columns gets no view', async () => {
  const { sent, questions } = await make({ agrees: false });
  await waitFor(() => expect(questions).toHaveLength(1));
  expect(sent()).toEqual([]);
});

test.each<[string, Parameters<typeof make>[0]]>([
  ['the table has what is needed', { table: aTable([aColumn('cl_1', 'State', { uidt: 'Choice' })]) }],
  ['the person may not add columns', { project: aProject({ permissions: ['kanbanViewCreate'] }) }],
  ['the table is a view of the database', { table: aTable([], { type: 'view' }) }],
  [
    'the database keeps its tables as they are',
    {
      project: aProject({
        bases: [{ id: 'ds_1', schema_changes: false }] as unknown as ProjectEntity['bases'],
      }),
    },
  ],
])('nothing is asked where %s', async (_, of) => {
  const { sent, questions } = await make(of);
  await waitFor(() => expect(sent()).toEqual([view]));
  expect(questions).toEqual([]);
});

describe('where one of the columns is refused', () => {
  /** Makes the first column and refuses the second one. */
  const answer =
    (drop: () => object) =>
    ({ method, body }: ApiRequest): object => {
      if (method === 'DELETE') return drop();
      const { title } = body as { readonly title: string };
      if (title === 'Since') throw new Error('No more columns');
      return aTable([aColumn('cl_1', 'Name'), aColumn('cl_new', title, { uidt: 'Choice' })]);
    };

  test('those made before it are taken back, so that the next try asks again', async () => {
    const { requests, toasts } = await make({ answer: answer(() => ({})) });
    await waitFor(() => expect(requests.at(-1)?.method).toBe('DELETE'));
    expect(requests.at(-1)?.path).toBe('/api/v1/db/meta/columns/cl_new');
    await waitFor(() => expect(toasts.map(({ summary }) => summary)).toEqual(['The view could not be made']));
  });

  test('the person is told of those that stay', async () => {
    const { toasts } = await make({
      answer: answer(() => {
        throw new Error('Not yours');
      }),
    });
    await waitFor(() =>
      expect(toasts.map(({ summary }) => summary)).toEqual([
        'These columns were added and stay: Status 2',
        'The view could not be made',
      ]),
    );
  });
});
