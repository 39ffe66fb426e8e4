import { afterEach, expect, jest, test } from '@jest/globals';
import { aColumn, aProject, aTable, aView, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { ViewColumnEntity } from '@trellis/sdk/shared';
import { VisitedViewContext } from '@trellis/sdk/web';
import { useRows } from '@trellis/sdk/web/rows';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import RowReader from './RowReader.tsx';

afterEach(cleanup);

const table = aTable([
  aColumn('cl_id', 'Id', { pk: true, system: true }),
  aColumn('cl_notes', 'Notes'),
  aColumn('cl_name', 'Name', { pv: true }),
  aColumn('cl_spare', 'Spare'),
]);
const view = aView();
const shown = [
  ['cl_notes', true],
  ['cl_name', true],
  ['cl_spare', false],
] as const;
const columns = shown.map(
  ([fk_column_id, show], order) => ({ fk_column_id, show, order, meta: null }) as ViewColumnEntity,
);
const list = [
  { Id: 1, Name: 'Ada', Notes: 'wrote the first program' },
  { Id: 2, Name: 'Grace', Notes: 'found the first bug' },
];

function Page({ onClose }: { readonly onClose: () => void }) {
  const rows = useRows({ kind: 'view', project: aProject({ permissions: [] }), table, view });
  const [rowKey, setRowKey] = useState('1');
  useEffect(() => rows.source.ensure(0, 2), [rows]);
  return <RowReader {...{ table, view, rows, rowKey, onClose }} onMove={setRowKey} />;
}

test('a visitor reads the fields of the view, goes on to the next row, and asks nothing that needs an account', async () => {
  const onClose = jest.fn();
  const { requests } = renderWithHost(
    <VisitedViewContext.Provider value={{ uuid: 'u1', viewId: view.id, columns }}>
      <Page onClose={onClose} />
    </VisitedViewContext.Provider>,
    {
      user: null,
      registries: { columnTypes: [textType] },
      api: () => ({ data: { list, pageInfo: { totalRows: 2, isLastPage: true } } }),
    },
  );
  const user = userEvent.setup();
  const labels = () => [...document.querySelectorAll('.rows-label')].map((label) => label.textContent);
  await screen.findByRole('dialog', { name: 'Ada' });
  await waitFor(() => expect(labels()).toEqual(['Name', 'Notes']));
  screen.getByText('wrote the first program');
  await user.click(screen.getByRole('button', { name: 'Next row' }));
  await screen.findByRole('dialog', { name: 'Grace' });
  screen.getByText('found the first bug');
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await screen.findByRole('dialog', { name: 'Ada' });
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(screen.queryAllByRole('textbox')).toEqual([]);
  const asked = requests.filter(({ path }) => !path.startsWith('/api/v1/db/public/shared-view/u1/'));
  expect(asked).toEqual([]);
});
