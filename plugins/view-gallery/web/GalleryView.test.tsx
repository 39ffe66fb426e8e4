import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import GalleryView from './GalleryView.tsx';

const table = aTable([
  aColumn('cl_id', 'Id', { pk: true, system: true }),
  aColumn('cl_name', 'Name', { pv: true }),
]);
const meta = { coverFit: 'cover', cardSize: 'medium', showsNames: true };
const view = { id: 'vw_1', fk_model_id: table.id, view_type: 'gallery', title: 'Cards', meta };

function show(role: 'editor' | 'viewer') {
  return renderWithHost(
    <GalleryView
      project={aProject({ role })}
      table={table}
      view={view as unknown as ViewEntity}
      readOnly={role === 'viewer'}
    />,
    {
      registries: { columnTypes: [textType] },
      api: ({ path }) => {
        if (path.endsWith(`/tables/${table.id}`)) return table;
        if (path.endsWith('/sorts')) return { sorts: { list: [] } };
        if (path.includes('/meta/views/')) return [];
        if (path.endsWith('/count')) return { count: 1 };
        return { list: [{ Id: 1, Name: 'Ada' }], pageInfo: { totalRows: 1, isLastPage: true } };
      },
    },
  );
}

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

test.each([
  ['editor', 'One row selected'],
  ['viewer', undefined],
] as const)('an %s selects cards by Space where something can be done with them: %s', async (role, words) => {
  show(role);
  (await screen.findByRole('article', { name: 'Ada' })).focus();
  await userEvent.keyboard(' ');
  expect(screen.queryByText('One row selected')?.textContent).toBe(words);
});

test('Escape in the field of a new card gives the keys back to its button', async () => {
  show('editor');
  await userEvent.click(await screen.findByRole('button', { name: 'New row' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New row' }));
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New row' }));
});
