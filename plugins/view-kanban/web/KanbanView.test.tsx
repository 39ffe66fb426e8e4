import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import KanbanView from './KanbanView.tsx';

afterEach(cleanup);

test.each([
  ['owner', /Choose one in the settings of the view/],
  ['viewer', /stacked by a column that you are not shown/],
] as const)(
  'a board without the column of its stacks tells an %s what they can do about it',
  (role, words) => {
    const table = aTable([aColumn('cl_name', 'Name')]);
    const view = { id: 'vw_1', fk_model_id: table.id, view_type: 'kanban', meta: { stackedBy: 'cl_owner' } };
    renderWithHost(
      <KanbanView
        project={aProject({ role })}
        table={table}
        view={view as unknown as ViewEntity}
        readOnly={role === 'viewer'}
      />,
    );
    expect(screen.getByRole('alert').textContent).toMatch(words);
  },
);
