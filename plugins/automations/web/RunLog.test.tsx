import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import type { AutomationEntity, RunEntity, RunStepEntity } from '../shared/index.ts';
import { RunLog } from './RunLog.tsx';

const project = aProject({ title: 'Desk', permissions: ['automationList', 'automationSet'] });
const automation = {
  id: 'au_1',
  title: 'Plan',
  version: 1,
  trigger: { type: 'row.added', settings: {} },
} as unknown as AutomationEntity;
const at = '2026-01-01T00:00:00.000Z';
const run: RunEntity = {
  id: 'ar_1',
  state: 'waiting',
  version: 1,
  row_id: '7',
  row_title: null,
  error: null,
  created_at: at,
  ended_at: null,
  next_at: null,
};
const step: Omit<RunStepEntity, 'id' | 'name' | 'type'> = {
  output: {},
  input: {},
  error: null,
  started_at: at,
  duration_ms: 4,
  items: [],
  attempts: [],
  state: 'done',
};

function show(change: Partial<RunEntity>, ofFirst: Partial<RunStepEntity> = {}) {
  const shown = { ...run, ...change };
  const api = ({ path, method = 'GET' }: ApiRequest) => {
    if (method === 'POST') return {};
    if (path.endsWith('/kinds'))
      return {
        triggers: [{ id: 'row.added', label: 'A row is added', inputs: [], values: [] }],
        channels: [],
        steps: [
          { id: 'row.create', label: 'Create a row', inputs: [] },
          { id: 'message.send', label: 'Send a message', inputs: [] },
        ],
      };
    if (path.includes('/runs/'))
      return {
        ...shown,
        trigger: {},
        steps: [
          { ...step, id: 'a', name: 'create2', type: 'row.create', ...ofFirst },
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

test('a run is called by what started it, and a message says over which channel it went', async () => {
  const tell = { name: 'send', type: 'message.send', input: { channel: 'Slack: sales', text: 'Hi' } };
  show({ state: 'done', row_title: 'Chair' }, tell);
  await userEvent.click(await screen.findByText('Chair'));
  expect(screen.getByText(/^A row is added · .* · version 1$/)).toBeTruthy();
  await screen.findByText('Send a message · Slack: sales');
  cleanup();
  show({ state: 'done', row_id: '' });
  await screen.findByText('A row is added');
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

test('what a step was given is a list of fields, what has parts is folded, and the JSON is one click away', async () => {
  // With a clipboard of its own.
  const user = userEvent.setup();
  const input = { table: 'Tasks', values: { Title: 'Do it', Tags: ['a', 'b'], Done: true, Note: null } };
  show({ state: 'done' }, { input });
  await user.click(await screen.findByText('Row 7'));
  const given = within(await screen.findByRole('region', { name: 'What it was given' }));
  expect(given.getByText('Table').nextSibling?.textContent).toBe('Tasks');
  expect(given.queryByText('Do it')).toBeNull();
  expect(given.getByText('Title: Do it · Done: true')).toBeTruthy();
  await user.click(given.getByText('4 fields'));
  expect((await given.findByText('Title')).nextSibling?.textContent).toBe('Do it');
  expect(given.getByText('Done').nextSibling?.textContent).toBe('Yes');
  expect(given.getByText('Note').nextSibling?.textContent).toBe('Empty');
  await user.click(given.getByText('2 entries'));
  expect((await given.findByText('2')).nextSibling?.textContent).toBe('b');

  await user.click(given.getByRole('button', { name: 'What it was given as JSON' }));
  const json = JSON.stringify(input, null, 2);
  expect(given.getByLabelText('What it was given as JSON', { selector: 'pre' }).textContent).toBe(json);
  await user.click(given.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(json);
});

test('what a step came to before it was tried again can be looked at, the newest first', async () => {
  const failed = (started_at: string, status: number) => ({
    state: 'failed' as const,
    input: { url: `https://example.com/${status}` },
    error: { msg: `The address answered with the status ${status}.` },
    started_at,
    duration_ms: 3,
  });
  show(
    { state: 'done' },
    {
      attempts: [
        failed('2026-01-01T00:00:00.000Z', 500),
        failed('2026-01-01T00:01:00.000Z', 503),
        { ...failed('2026-01-01T00:02:00.000Z', 0), state: 'cut-off', error: null, input: null },
      ],
    },
  );
  await userEvent.click(await screen.findByText('Row 7'));
  await userEvent.click(await screen.findByText('3 earlier tries'));
  const [newest, second, oldest] = within(screen.getByRole('list', { name: 'Earlier tries' })).getAllByRole(
    'listitem',
  );
  expect(newest?.textContent).toContain('The server ended in the middle of it.');
  expect(second?.textContent).toContain('The address answered with the status 503.');
  expect(oldest?.textContent).toContain('https://example.com/500');
});
