import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, TaskEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import TaskIndicator from './TaskIndicator.tsx';

const project = { id: 'p_zoo', title: 'Zoo' } as ProjectEntity;

function task(patch: Partial<TaskEntity> = {}): TaskEntity {
  return {
    id: 'tk_1',
    project_id: 'p_zoo',
    kind: 'rows.load',
    title: 'Import of animals.csv',
    state: 'running',
    progress: { done: 50, total: 200, note: 'Reading' },
    is_cancelling: false,
    is_cancellable: true,
    created_by: 'ann@example.com',
    created_at: '2026-11-21 20:00:00',
    updated_at: '2026-11-21 20:00:10',
    finished_at: null,
    error: null,
    ...patch,
  };
}

const ended = { is_cancellable: false, finished_at: '2026-11-21 20:01:00' } as const;

function show(list: readonly TaskEntity[], more: Readonly<Record<string, unknown>> = {}) {
  const memory = renderWithHost(<TaskIndicator />, {
    project,
    api: { 'GET /api/v1/tasks': { list }, ...more },
  });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('the tasks of the open project', () => {
  test('are counted while they run and shown on a click with how far they are', async () => {
    const { user } = show([task(), task({ id: 'tk_2', title: 'Old import', state: 'done', ...ended })]);
    await user.click(await screen.findByRole('button', { name: 'Tasks: 1 running' }));
    const panel = await screen.findByRole('dialog', { name: 'Background tasks' });
    const items = within(panel).getAllByRole('listitem');
    expect(items.map((item) => within(item).getByText(/import/i).textContent)).toEqual([
      'Import of animals.csv',
      'Old import',
    ]);
    const bar = within(panel).getByRole('progressbar', { name: 'Import of animals.csv' });
    expect(bar.getAttribute('aria-valuenow')).toBe('25');
    expect(bar.getAttribute('aria-valuetext')).toBe('50 of 200');
    expect(within(panel).getAllByRole('button', { name: /^Cancel/ })).toHaveLength(1);
  });

  test('move as the server tells, without another question', async () => {
    const { user, receive, requests } = show([task()]);
    await user.click(await screen.findByRole('button', { name: 'Tasks: 1 running' }));
    const asked = requests.length;
    const further = task({ progress: { done: 150, total: 200 }, updated_at: '2026-11-21 20:00:20' });
    act(() => receive({ kind: 'task', projectId: 'p_zoo', task: further }));
    await waitFor(() => {
      expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('75');
    });
    expect(requests.length).toBe(asked);
    act(() => receive({ kind: 'task', projectId: 'p_other', task: task({ id: 'tk_9', title: 'Not ours' }) }));
    expect(screen.queryByText('Not ours')).toBeNull();
  });

  test('whose plugin keeps a log of its own are shown until they ended well', async () => {
    const quiet = { id: 'tk_7', title: 'Cities each morning', is_quiet: true as const };
    const { user, receive } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Background tasks' }));
    act(() => receive({ kind: 'task', projectId: 'p_zoo', task: task(quiet) }));
    await screen.findByText('Cities each morning');
    act(() =>
      receive({ kind: 'task', projectId: 'p_zoo', task: task({ ...quiet, state: 'done', ...ended }) }),
    );
    await waitFor(() => expect(screen.queryByText('Cities each morning')).toBeNull());
  });

  test('say what went wrong', async () => {
    const error = 'Row 7: Age must be a number';
    const { user } = show([task({ state: 'failed', error, ...ended })]);
    await user.click(await screen.findByRole('button', { name: 'Background tasks' }));
    expect((await screen.findByRole('alert')).textContent).toBe(error);
  });

  test('are cancelled, and a refusal is shown', async () => {
    const refusal = () => {
      throw new ApiError(403, 'bulkDataInsert - viewer : Not allowed');
    };
    const { user, requests, toasts } = show([task()], {
      'POST /api/v1/tasks/tk_1/cancel': refusal,
    });
    await user.click(await screen.findByRole('button', { name: 'Tasks: 1 running' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel Import of animals.csv' }));
    expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/api/v1/tasks/tk_1/cancel' });
    await waitFor(() => {
      expect(toasts).toMatchObject([{ severity: 'error', detail: 'bulkDataInsert - viewer : Not allowed' }]);
    });
  });

  test('are none at first, and the panel says what belongs there', async () => {
    const { user } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Background tasks' }));
    expect(await screen.findByText(/No task is running/)).toBeTruthy();
  });
});
