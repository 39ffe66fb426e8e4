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
