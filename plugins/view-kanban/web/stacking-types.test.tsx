import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { WebColumnType } from '@trellis/sdk/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import KanbanView from './KanbanView.tsx';

/** Types of somebody else's plugin. */
const mood: WebColumnType = { ...textType, id: 'Mood', stacks: 'options' };
const place: WebColumnType = { ...textType, id: 'Place', stacks: 'values' };

const options = [
  { id: 'm1', title: 'Happy', color: '#cfdffe' },
  { id: 'm2', title: 'Sad' },
];
const table = aTable([
  aColumn('cl_name', 'Name', { uidt: textType.id, pv: true }),
  aColumn('cl_mood', 'Feels', { uidt: mood.id, meta: { options } }),
  aColumn('cl_place', 'Where', { uidt: place.id }),
]);

/** What a kanban keeps, as the server gives it. */
const kept = {
  arrangements: [],
  coverId: '',
  coverFit: 'cover',
  showsNames: true,
  figureColumnId: '',
  figure: '',
};

function show(stackedBy: string, columnTypes: readonly WebColumnType[]) {
  const view = { id: 'vw_1', fk_model_id: table.id, view_type: 'kanban', meta: { ...kept, stackedBy } };
  return renderWithHost(
    <KanbanView
      project={aProject({ role: 'owner' })}
      table={table}
      view={view as unknown as ViewEntity}
      readOnly={false}
    />,
    {
      registries: { columnTypes: [textType, ...columnTypes] },
      api: ({ path }) => {
        if (path.endsWith(`/tables/${table.id}`)) return table;
        if (path.endsWith('/sorts')) return { sorts: { list: [] } };
        if (path.includes('/views/')) return [];
        return { list: [], pageInfo: { totalRows: 0, isLastPage: true } };
      },
    },
  );
}

afterEach(cleanup);

test('a board is stacked by a list of a third party, whose options are its stacks', async () => {
  const { requests } = show('cl_mood', [mood]);
  expect(await screen.findByText('Happy')).toBeTruthy();
  expect(screen.getByText('Sad')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Add a stack' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name of the stack' }), 'Calm{Enter}');
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      uidt: 'Mood',
      meta: { options: [...options, { title: 'Calm' }] },
    }),
  );
});

test('a board is stacked by what the rows have where the type of a third party has no list', async () => {
  show('cl_place', [place]);
  expect(await screen.findByRole('button', { name: 'Add a stack' })).toBeTruthy();
  expect(screen.queryByText('Happy')).toBeNull();
});

test('a type that says nothing of stacks has none', () => {
  show('cl_mood', [{ ...textType, id: 'Mood' }]);
  expect(screen.getByRole('alert').textContent).toMatch(/has another type/);
});
