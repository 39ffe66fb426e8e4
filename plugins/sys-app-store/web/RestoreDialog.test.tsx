import { afterEach, expect, jest, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import RestoreDialog from './RestoreDialog.tsx';

const plugin = { id: 'acme', name: 'Acme', version: '1.1.0' } as unknown as PluginEntity;
const plan = { tables: [{ name: 'palettes', rows: 3 }], values: 0 };
const path = '/api/v1/app-store/plugins/acme';
const saved = new File(['{}'], 'acme-data.json', { type: 'application/json' });

afterEach(cleanup);

test('stays open while the data are put back: how that ends must be seen', async () => {
  const onClose = jest.fn();
  let refuse = (): void => undefined;
  renderWithHost(<RestoreDialog plugin={plugin} onClose={onClose} />, {
    api: async ({ method }) => {
      if (method === 'GET') return plan;
      await new Promise<void>((resolve) => {
        refuse = resolve;
      });
      throw new ApiError(409, 'It is of version 1.0.0.', 'OF_THE_TEST');
    },
  });
  const user = userEvent.setup();
  await user.upload(await screen.findByLabelText('Saved data'), saved);
  await user.click(screen.getByRole('button', { name: 'Put back' }));
  await screen.findByRole('button', { name: 'Putting back' });
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await act(async () => refuse());
  expect((await screen.findByRole('alert')).textContent).toContain('It is of version 1.0.0.');
});

test('says what is replaced, sends the chosen file, and tells why it is refused', async () => {
  const onClose = jest.fn();
  let isRefused = true;
  const { requests, toasts } = renderWithHost(<RestoreDialog plugin={plugin} onClose={onClose} />, {
    api: ({ method, path: asked }) => {
      if (asked === `${path}/removal`) return plan;
      if (method === 'POST' && isRefused) throw new ApiError(409, 'It is of version 1.0.0.', 'OF_THE_TEST');
      return {};
    },
  });
  const user = userEvent.setup();
  const submit = await screen.findByRole('button', { name: 'Put back' });
  expect(screen.getByRole('listitem').textContent).toBe('Its own table palettes with 3 rows');
  await user.click(submit);
  const sent = () => requests.filter(({ method }) => method === 'POST');
  expect(sent()).toEqual([]);
  await user.upload(screen.getByLabelText('Saved data'), saved);
  expect(await screen.findByText('Chosen: acme-data.json')).toBeTruthy();
  await user.click(submit);
  expect((await screen.findByRole('alert')).textContent).toContain('It is of version 1.0.0.');
  expect(onClose).not.toHaveBeenCalled();
  isRefused = false;
  await user.click(await screen.findByRole('button', { name: 'Put back' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  const files = sent().map((request) => [request.path, (request.body as FormData).get('archive')]);
  expect(files.at(-1)).toEqual([`${path}/data`, expect.objectContaining({ name: 'acme-data.json' })]);
  expect(toasts[0]?.summary).toBe('The data of Acme is back');
});
