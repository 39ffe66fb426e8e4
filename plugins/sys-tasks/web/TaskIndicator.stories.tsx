import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity, TaskEntity } from '@trellis/sdk/shared';
import TaskIndicator from './TaskIndicator.tsx';
import './tasks.css';

const meta: Meta<typeof TaskIndicator> = { title: 'Tasks/Task indicator', component: TaskIndicator };
export default meta;

type Story = StoryObj<typeof TaskIndicator>;

const project = { id: 'p_zoo', title: 'Zoo' } as ProjectEntity;
const running: TaskEntity = {
  id: 'tk_1',
  project_id: 'p_zoo',
  kind: 'rows.load',
  title: 'Import of animals.csv',
  state: 'running',
  progress: { done: 61_000, total: 100_000, note: 'Adding rows' },
  is_cancelling: false,
  is_cancellable: true,
  created_by: 'ann@example.com',
  created_at: '2026-11-21 20:00:00',
  updated_at: '2026-11-21 20:00:10',
  finished_at: null,
  error: null,
};
const ended = { is_cancellable: false, finished_at: '2026-11-21 20:01:00' } as const;

/** Running, waiting, failed and done, as they are listed. */
export const Busy: Story = {
  parameters: {
    host: {
      project,
      api: {
        'GET /api/v1/tasks': {
          list: [
            running,
            {
              ...running,
              id: 'tk_2',
              title: 'Import of keepers.csv',
              state: 'waiting',
              progress: { done: 0 },
            },
            {
              ...running,
              ...ended,
              id: 'tk_3',
              title: 'Import of a file with a name that is much too long for one line.csv',
              state: 'failed',
              error: 'Row 7: Age must be a number',
            },
            { ...running, ...ended, id: 'tk_4', title: 'Import of cages.csv', state: 'done' },
          ],
        },
      },
    },
  },
};

/** No task is running. */
export const Idle: Story = {
  parameters: { host: { project, api: { 'GET /api/v1/tasks': { list: [] } } } },
};
