import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import type { AutomationEntity, RunEntity } from '../shared/index.ts';
import { RunLog } from './RunLog.tsx';

const project = aProject({ title: 'Desk', permissions: ['automationList', 'automationSet'] });
const automation = { id: 'au_1', title: 'Plan', version: 1 } as AutomationEntity;
const at = '2026-01-01T00:00:00.000Z';
const run: RunEntity = {
  id: 'ar_1',
  state: 'waiting',
  version: 1,
  row_id: '7',
  error: null,
  created_at: at,
  ended_at: null,
  next_at: null,
};
const step = { output: {}, input: {}, error: null, started_at: at, duration_ms: 4, items: [], state: 'done' };

function show(change: Partial<RunEntity>) {
  const shown = { ...run, ...change };
  const api = ({ path, method = 'GET' }: ApiRequest) => {
    if (method === 'POST') return {};
    if (path.endsWith('/kinds'))
      return { triggers: [], channels: [], steps: [{ id: 'row.create', label: 'Create a row', inputs: [] }] };
    if (path.includes('/runs/'))
      return {
        ...shown,
        trigger: {},
        steps: [
          { ...step, id: 'a', name: 'create2', type: 'row.create' },
          { ...step, id: 'b', name: 'The task', type: 'row.create' },
          { ...step, id: 'c', name: 'bell', type: 'guest.bell' },
        ],
      };
    return { list: [shown] };
  };
  return renderWithHost(<RunLog project={project} automation={automation} onBack={() => undefined} />, {
    project,
    api,
  });
}

afterEach(cleanup);

test('steps are called by what they do, with the name that somebody gave them', async () => {
  show({ state: 'done' });
  await userEvent.click(await screen.findByText('Row 7'));
  await screen.findByText('Create a row');
  expect(screen.getByText('Create a row “The task”')).toBeTruthy();
  // Its plugin is off.
  expect(screen.getByText('bell')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /try|go on/i })).toBeNull();
});

test.each([
  [{ state: 'failed' }, 'Try again from the step that failed'],
  [{ next_at: at }, 'Go on without waiting'],
  [{ next_at: at, error: { code: 'X', msg: 'Busy', params: {} } }, 'Try now'],
] as const)('a run offers to go on: %j', async (change, label) => {
  const { requests } = show(change as Partial<RunEntity>);
  await userEvent.click(await screen.findByText('Row 7'));
  await userEvent.click(await screen.findByRole('button', { name: label }));
  expect(requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/v1/plugins/automations/automations/au_1/runs/ar_1/retry',
  ]);
});
