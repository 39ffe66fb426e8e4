import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CreateTableDialog from './CreateTableDialog.tsx';

const project = {
  id: 'p_1',
  title: 'Zoo',
  role: 'owner',
  bases: [{ type: 'pg' }],
} as unknown as ProjectEntity;
const isWrite = (request: ApiRequest) => request.method === 'POST';

async function show(options: MemoryHostOptions = {}) {
  const onClose = jest.fn();
  const api = (request: ApiRequest) =>
    isWrite(request) ? { id: 'md_new', title: 'Animals' } : { list: [{ id: 'md_1', title: 'Keepers' }] };
  const memory = renderWithHost(<CreateTableDialog project={project} onClose={onClose} />, {
    api,
    project,
    ...options,
  });
  const input = screen.getByLabelText('Table name');
  await waitFor(() => expect(document.activeElement).toBe(input));
  return { ...memory, onClose, user: userEvent.setup() };
}

afterEach(cleanup);

describe('creating a table', () => {
  test('whoever opens the dialog can type the name at once; the table opens with its default columns', async () => {
    const { user, host, requests, onClose } = await show();
    await user.keyboard('Animals{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(host.shell.activeTab).toEqual({ type: 'table', key: 'md_new', name: 'Animals' });
    expect(requests.find(isWrite)?.body).toMatchObject({
      columns: [
        { column_name: 'id', pk: true },
        { column_name: 'title' },
        { column_name: 'created_at', cdf: 'now()' },
        { column_name: 'updated_at', cdf: 'now()', au: true },
      ],
    });
  });

  test.each([
    ['{Enter}', 'Table name required'],
    ['a.b{Enter}', 'Following characters are not allowed . / \\'],
    ['keepers{Enter}', "There is already one called 'keepers'"],
  ])('the name %s is refused', async (keys, message) => {
    const { user, requests } = await show();
    await user.keyboard(keys);
    expect(screen.getByRole('alert').textContent).toBe(message);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('what the server refuses is shown and the name is kept', async () => {
    const { user } = await show({
      api: (request) => {
        if (isWrite(request)) throw new ApiError(400, 'Duplicate table name');
        return { list: [] };
      },
    });
    await user.keyboard('Animals{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Duplicate table name');
    expect(screen.getByLabelText<HTMLInputElement>('Table name').value).toBe('Animals');
  });
});
