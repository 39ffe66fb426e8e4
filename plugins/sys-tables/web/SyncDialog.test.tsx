import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type {} from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { TableDiff } from '../shared/index.ts';
import SyncDialog from './SyncDialog.tsx';

const project = aProject({ title: 'Shop', is_meta: false });
const changed: TableDiff = {
  title: 'Orders',
  table_name: 'orders',
  type: 'table',
  detectedChanges: [
    { type: 'TABLE_COLUMN_ADD', msg: 'New column(city)', cn: 'city', id: 't_1' },
    { type: 'TABLE_RELATION_ADD', msg: 'New', tn: 'orders', cn: 'customer_id', rtn: 'customer', rcn: 'id' },
  ],
};
const same: TableDiff = { title: 'Customers', table_name: 'customer', type: 'table', detectedChanges: [] };

function show(
  list: readonly TableDiff[],
  post: (request: ApiRequest) => unknown = () => ({ msg: 'success' }),
) {
  const onClose = jest.fn();
  const memory = renderWithHost(<SyncDialog project={project} onClose={onClose} />, {
    api: (request) => (request.method === 'GET' ? list : post(request)),
    project,
  });
  return { ...memory, onClose, user: userEvent.setup() };
}

afterEach(cleanup);

describe('the comparison with the database', () => {
  test('says what changed in words, and takes it over', async () => {
    const { user, requests, onClose } = show([changed, same]);
    expect(await screen.findByText('New column city')).toBeTruthy();
    expect(screen.getByText('New link from orders.customer_id to customer.id')).toBeTruthy();
    expect(screen.queryByText('Customers')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests.find(({ method }) => method === 'POST')?.path).toBe(
      '/api/v1/db/meta/projects/p_1/meta-diff',
    );
  });

  test('asks what became of what is gone, and takes a new name for it over', async () => {
    const gone = {
      type: 'TABLE_COLUMN_REMOVE',
      msg: '',
      cn: 'price',
      id: 't_1',
      colId: 'cl_price',
      renamedTo: 'cost',
    };
    const came = { type: 'TABLE_COLUMN_ADD', msg: '', cn: 'cost', dt: 'numeric(10,2)', id: 't_1' };
    const { user, requests } = show([
      { ...changed, detectedChanges: [gone, came] },
      {
        title: 'Notes',
        table_name: 'notes',
        type: 'table',
        detectedChanges: [{ type: 'TABLE_REMOVE', msg: '', id: 't_2' }],
      },
      { table_name: 'remarks', type: 'table', detectedChanges: [{ type: 'TABLE_NEW', msg: '' }] },
    ]);
    // The server found that it is most likely the same.
    const ofColumn = await screen.findByRole<HTMLSelectElement>('combobox', { name: /price/ });
    expect(ofColumn.value).toBe('cost');
    expect(screen.queryByText('New column cost')).toBeNull();
    expect(screen.getByText('remarks')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: /Notes/ }), 'renamed to remarks');
    expect(screen.queryByText('remarks')).toBeNull();
    await user.selectOptions(ofColumn, 'goes to the trash');
    expect(screen.getByText('New column cost')).toBeTruthy();
    await user.selectOptions(ofColumn, 'renamed to cost');
    await user.click(screen.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      renames: [
        { id: 'cl_price', to: 'cost' },
        { id: 't_2', to: 'remarks' },
      ],
    });
  });

  test('takes over what a table is most likely called now, unless somebody says that it is gone', async () => {
    const gone = { type: 'TABLE_REMOVE', msg: '', id: 't_2', renamedTo: 'remarks' };
    const { user, requests } = show([
      { title: 'Notes', table_name: 'notes', type: 'table', detectedChanges: [gone] },
      { table_name: 'remarks', type: 'table', detectedChanges: [{ type: 'TABLE_NEW', msg: '' }] },
      { table_name: 'others', type: 'table', detectedChanges: [{ type: 'TABLE_NEW', msg: '' }] },
    ]);
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: /Notes/ });
    expect(choice.value).toBe('remarks');
    expect([screen.queryByText('remarks'), screen.queryByText('others')]).toMatchObject([null, {}]);
    await user.click(screen.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      renames: [{ id: 't_2', to: 'remarks' }],
    });
  });

  test('names foreign keys that lead to another schema, also where nothing changed', async () => {
    const outward = [{ cn: 'customer_id', schema: 'crm', rtn: 'customer', rcn: 'id' }];
    show([same, { ...same, title: 'Orders', table_name: 'orders', outward }]);
    expect(await screen.findByText('orders.customer_id → crm.customer.id')).toBeTruthy();
    expect(screen.getByText('No change identified')).toBeTruthy();
  });

  test('says so when nothing changed', async () => {
    show([same]);
    expect(await screen.findByText('No change identified')).toBeTruthy();
  });

  test('asks for the title where most of the tables would disappear', async () => {
    const { user, questions, requests, onClose } = show([changed], ({ body }) => {
      if (body === undefined) throw new ApiError(409, 'Most tables are gone.', 'SYNC_SHRANK');
      return { msg: 'success' };
    });
    await user.click(await screen.findByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(questions).toMatchObject([{ message: 'Most tables are gone.', typeToConfirm: 'Shop' }]);
    expect(requests.filter(({ method }) => method === 'POST')[1]?.body).toEqual({ confirm: 'Shop' });
  });
});
