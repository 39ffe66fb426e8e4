import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aColumn, aProject, aTable, aView, numberType, renderWithHost } from '../../testing/web.tsx';
import type { RowsClient } from '../rows/index.ts';
import { useCardCommands } from './card-commands.ts';

afterEach(cleanup);

test('a card whose name its column cannot take says why, and is not added', async () => {
  const insert = jest.fn();
  const table = aTable([aColumn('cl_no', 'No', { uidt: 'Number', pv: true })]);
  const project = aProject();
  function Adds() {
    const { add } = useCardCommands(
      { project, table, view: aView(), readOnly: false },
      { rows: { insert } as Partial<RowsClient> as RowsClient, isArranged: true, focus: () => undefined },
    );
    return <button onClick={() => void add?.('many', {})}>Add</button>;
  }
  const { toasts } = renderWithHost(<Adds />, { project, registries: { columnTypes: [numberType] } });
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(toasts).toMatchObject([{ severity: 'error', summary: '“No” must be a number.' }]);
  expect(insert).not.toHaveBeenCalled();
});
