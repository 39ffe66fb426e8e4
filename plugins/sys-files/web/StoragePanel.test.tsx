import { afterEach, describe, expect, test } from '@jest/globals';
import type { PluginEntity, TaskEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { StorageAnswer, StorageEntity } from '../shared/index.ts';
import StoragePanel from './StoragePanel.tsx';

const plugin = { id: 'storage-s3', name: 'S3' } as PluginEntity;
const s3: StorageEntity = {
  id: 's3',
  label: 'S3',
  plugin_id: 'storage-s3',
  is_ready: true,
  is_default: false,
  files: 2,
  bytes: 3 * 1024 * 1024,
};
const local: StorageEntity = {
  ...s3,
  id: 'local',
  label: 'The folder of this server',
  plugin_id: 'host',
  is_default: true,
  files: 41,
  bytes: 1024,
};
const moving = {
  id: 'tk_1',
  title: 'Files: S3 → Folder',
  state: 'running',
  progress: { done: 5, total: 41 },
  finished_at: null,
  is_cancelling: false,
} as TaskEntity;

function show(answer: Partial<StorageAnswer> = {}, more: Readonly<Record<string, unknown>> = {}) {
  const memory = renderWithHost(<StoragePanel plugin={plugin} />, {
    api: { 'GET /api/v1/storage': { list: [s3, local], move: null, ...answer }, ...more },
  });
  return { ...memory, user: userEvent.setup() };
}

const sent = (
  requests: readonly { readonly method?: string; readonly path: string; readonly body?: unknown }[],
) => requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

afterEach(cleanup);

describe('the files of a storage on the card of its plugin', () => {
  test('are counted, and new ones come here when somebody says so', async () => {
    const { user, requests } = show();
    const panel = within(await screen.findByRole('region', { name: 'Files in S3' }));
    expect(panel.getByText(/2 files · 3 MB/)).not.toBeNull();
    expect(panel.queryByText('New files go here')).toBeNull();
    await user.click(panel.getByRole('button', { name: 'Keep new files here' }));
    await waitFor(() =>
      expect(sent(requests)).toEqual([['PUT', '/api/v1/storage/default', { place: 's3' }]]),
    );
  });

  test('are moved only after somebody was shown how many go where', async () => {
    const { user, requests } = show({}, { 'POST /api/v1/storage/moves': moving });
    await user.click(await screen.findByRole('button', { name: 'Move files' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move files' }));
    const ways = dialog.getAllByRole('radio').map((way) => way.closest('label')?.textContent);
    expect(ways).toEqual([
      'The folder of this server → S341 files · 1 KB',
      'S3 → The folder of this server2 files · 3 MB',
    ]);
    expect(dialog.getByText('New files go to S3 from now on.')).not.toBeNull();
    await user.click(dialog.getByRole('radio', { name: /^S3 → / }));
    expect(dialog.getByText('New files go to The folder of this server from now on.')).not.toBeNull();
    expect(sent(requests)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(requests)).toEqual([['POST', '/api/v1/storage/moves', { from: 's3', to: 'local' }]]);
  });

  test('that cannot be moved say why in the sheet', async () => {
    const refuse = () => {
      throw new ApiError(409, 'Files are being moved already.', 'STORAGE_MOVING');
    };
    const { user } = show({}, { 'POST /api/v1/storage/moves': refuse });
    await user.click(await screen.findByRole('button', { name: 'Move files' }));
    await user.click(await screen.findByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Files are being moved already.')).not.toBeNull();
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });

  test('show how far a move is, and let it be stopped', async () => {
    const { user, requests } = show({ move: moving });
    const bar = await screen.findByRole('progressbar', { name: 'Files are being moved' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual([
      '12',
      '5 of 41',
    ]);
    expect(screen.queryByRole('button', { name: 'Move files' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Stop moving' }));
    await waitFor(() =>
      expect(sent(requests)).toEqual([['POST', '/api/v1/storage/moves/cancel', undefined]]),
    );
  });

  test('tell of a move that stopped by itself, and of settings that are missing', async () => {
    const failed = {
      ...moving,
      state: 'failed',
      finished_at: '2026-11-23 10:00:00',
      error: 'The store is full.',
    } as const;
    show({ move: failed, list: [{ ...s3, is_ready: false, files: 0, bytes: 0 }, local] });
    expect(await screen.findByText(/The move stopped: The store is full\./)).not.toBeNull();
    expect(screen.getByText('Fill in the settings to keep files here.')).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Move files' })).toBeNull();
  });
});
