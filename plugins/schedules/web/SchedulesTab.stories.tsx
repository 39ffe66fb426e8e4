import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { callForm, type ScheduleEntity } from '../shared/index.ts';
import SchedulesTab from './SchedulesTab.tsx';
import './schedules.css';

const project = {
  id: 'p_zoo',
  title: 'Zoo',
  permissions: ['scheduleList', 'scheduleUpdate', 'scheduleRun'],
} as unknown as ProjectEntity;

const meta: Meta<typeof SchedulesTab> = {
  title: 'Schedules/Schedules of a project',
  component: SchedulesTab,
  args: { project },
};
export default meta;

const schedule = (title: string, patch: Partial<ScheduleEntity> = {}) =>
  ({
    id: title,
    title,
    action: 'schedules.call',
    settings: { address: 'https://example.com/in' },
    cron: '0 8 * * 1-5',
    time_zone: 'Europe/Berlin',
    active: true,
    paused: null,
    owner: 'ann@example.com',
    next_runs: ['2026-03-03T07:00:00.000Z'],
    last_run: null,
    ...patch,
  }) as ScheduleEntity;

const tab = (list: readonly ScheduleEntity[]) => ({
  host: {
    project,
    api: ({ path }: { readonly path: string }) => {
      if (path.endsWith('/actions'))
        return { list: [{ id: 'schedules.call', icon: 'send', target: 'view', ...callForm }] };
      return { list: path.endsWith('/schedules') ? list : [] };
    },
  },
});

export const Some: StoryObj = {
  parameters: tab([
    schedule('Feed the seals'),
    schedule('Count the birds', { active: false, next_runs: [] }),
  ]),
};

export const None: StoryObj = { parameters: tab([]) };
