import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { callForm, type RunEntity, type ScheduleEntity } from '../shared/index.ts';
import SchedulesTab from './SchedulesTab.tsx';

const may = ['scheduleList', 'scheduleUpdate', 'scheduleRun'];
const project = aProject({ title: 'Zoo', permissions: may });
const path = `/api/v1/plugins/schedules/projects/${project.id}/schedules`;

const run: RunEntity = {
  id: 'sr_1',
  schedule_id: 'sc_1',
  state: 'failed',
  cause: 'time',
  due_at: '2026-03-02T07:00:00.000Z',
  started_at: '2026-03-02T07:00:00.000Z',
  ended_at: '2026-03-02T07:00:02.500Z',
  next_at: null,
  message: {
    msg: 'The receiver answered with the status 500.',
    code: 'SCHEDULE_ANSWER',
    params: { status: 500 },
  },
  times: 1,
  attempts: [],
  file: null,
  is_cancelling: false,
};

const schedule: ScheduleEntity = {
  id: 'sc_1',
  title: 'Feed the seals',
  action: 'schedules.call',
  table_id: 'md_a',
  view_id: null,
  settings: { address: 'https://example.com/in' },
  cron: '0 8 * * 1-5',
  time_zone: 'Europe/Berlin',
  overlap: 'skip',
  missed: 'once',
  retries: 2,
  retry_minutes: 5,
  limit_minutes: 30,
  revision: 'r1',
  active: true,
  paused: null,
  owner: 'ann@example.com',
  next_runs: ['2026-03-03T07:00:00.000Z'],
  last_run: run,
  created_at: '2026-03-01T07:00:00.000Z',
  updated_at: '2026-03-01T07:00:00.000Z',
};

function show(
  list: readonly ScheduleEntity[],
  answer: (request: ApiRequest) => unknown = () => ({}),
  options: MemoryHostOptions = {},
) {
  const sent: ApiRequest[] = [];
  const api = (request: ApiRequest) => {
    if (request.method !== undefined && request.method !== 'GET') {
      sent.push(request);
      return answer(request);
    }
    if (request.path === path) return { list };
    if (request.path.endsWith('/actions'))
      return { list: [{ id: 'schedules.call', icon: 'send', target: 'view', ...callForm }] };
    if (request.path.endsWith('/tables')) return { list: [{ id: 'md_a', title: 'Animals' }] };
    if (request.path.includes('/runs'))
      return { list: list.map(({ last_run }) => last_run), pageInfo: { totalRows: 1, isLastPage: true } };
    return { list: [] };
  };
  return { ...renderWithHost(<SchedulesTab project={project} />, { ...options, project, api }), sent };
}

afterEach(cleanup);

describe('the tab of schedules', () => {
  test('says when each runs, in words, when it is next, and how it went last', async () => {
    show([schedule]);
    const line = within(await screen.findByRole('listitem'));
    expect(line.getByText('Feed the seals')).toBeTruthy();
    line.getByText('Every weekday at 08:00 · Europe/Berlin');
    line.getByText(/^Next: Tue, Mar 3, 2026, 08:00 AM/);
    line.getByText('Failed');
  });

  test('one that stands still says why, and is let go on', async () => {
    const paused = { msg: 'They left.', code: 'UNKNOWN' };
    const { sent } = show([{ ...schedule, paused, next_runs: [] }]);
    await screen.findByText('They left.');
    await userEvent.click(screen.getByRole('button', { name: 'What to do with Feed the seals' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Let it go on' }));
    await waitFor(() => expect(sent).toMatchObject([{ method: 'PATCH', body: { active: true } }]));
  });

  test('a new one is said in words or in cron notation, with its next runs, and mistakes stand under the field', async () => {
    const user = userEvent.setup();
    const problems = {
      '/table_id': 'Please choose a table.',
      '/settings/address': 'Please give an address that begins with http:// or https://.',
    };
    const { sent } = show([], () => {
      throw new ApiError(400, 'No', 'SCHEDULE_INVALID', { problems });
    });
    await user.click(await screen.findByRole('button', { name: 'New schedule' }));
    const cron = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Cron notation' });
    await screen.findByRole('textbox', { name: 'Cron notation' });
    expect(cron().value).toBe('0 8 * * 1-5');
    expect(within(screen.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem').length).toBe(5);

    await user.selectOptions(screen.getByRole('combobox', { name: 'How often' }), 'minutes');
    expect(cron().value).toBe('*/15 * * * *');
    screen.getByText('Every 15 minutes');

    await user.clear(cron());
    await user.type(cron(), '99 8 * * *');
    screen.getByText('A minute is a number from 0 to 59, and “99” is none.');
    expect(cron().getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('list', { name: 'Next runs' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    screen.getByText('Please give the schedule a name.');
    expect(sent).toEqual([]);

    await user.clear(cron());
    await user.type(cron(), '30 7 L * *');
    screen.getByText('On the last day of each month at 07:30');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Bills');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Please choose a table.');
    screen.getByText('Please give an address that begins with http:// or https://.');
    expect(sent).toMatchObject([{ method: 'POST', path, body: { title: 'Bills', cron: '30 7 L * *' } }]);
    expect(cron().value).toBe('30 7 L * *');
  });

  test('its runs are listed with what went wrong, and it is run by hand', async () => {
    const { sent } = show([schedule]);
    await userEvent.click(await screen.findByRole('button', { name: /^Feed the seals/ }));
    const runs = within(await screen.findByRole('list', { name: 'Runs' }));
    await runs.findByText('The receiver answered with the status 500.');
    runs.getByText(/By the clock · 2.5 sec/);
    await userEvent.click(screen.getByRole('button', { name: 'Run now' }));
    await waitFor(() => expect(sent).toMatchObject([{ method: 'POST', path: `${path}/sc_1/run` }]));
  });

  test('of a backup that a run kept a project is made once, however often it is asked for at once', async () => {
    const file = { name: 'zoo.zip', size: 2048 };
    const backup = {
      ...schedule,
      action: 'schedules.backup',
      last_run: { ...run, state: 'done' as const, file },
    };
    const { sent } = show([backup], () => new Promise(() => {}), {
      user: { permissions: ['projectCreate'] },
    });
    await userEvent.click(await screen.findByRole('button', { name: /^Feed the seals/ }));
    const restore = await screen.findByRole('button', { name: 'Restore' });
    await userEvent.click(restore);
    await userEvent.click(restore);
    expect(sent).toHaveLength(1);
  });

  test('one that somebody else saved meanwhile is not overwritten unasked', async () => {
    const user = userEvent.setup();
    const { sent } = show([schedule], ({ body }) => {
      if ((body as { replaces?: string }).replaces === 'r1')
        throw new ApiError(409, 'Somebody else changed this.', 'CHANGED_MEANWHILE', { revision: 'r2' });
      return schedule;
    });
    await user.click(await screen.findByRole('button', { name: 'What to do with Feed the seals' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change the schedule' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Save mine' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ body }) => body)).toMatchObject([
      { title: 'Feed the seals!', replaces: 'r1' },
      { title: 'Feed the seals!', replaces: 'r2' },
    ]);
  });

  test('its numbers are typed anew without a digit of the former ones', async () => {
    const user = userEvent.setup();
    const { sent } = show([schedule], () => schedule);
    await user.click(await screen.findByRole('button', { name: 'What to do with Feed the seals' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change the schedule' }));
    await user.click(await screen.findByText('When something is in the way'));
    const minutes = screen.getByLabelText<HTMLInputElement>('Minutes that a run may take');
    await user.clear(minutes);
    expect(minutes.value).toBe('');
    await user.type(minutes, '45');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toMatchObject([{ body: { limit_minutes: 45 } }]));
  });
});
