import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { OpenRequests } from '@trellis/sdk/web';
import { addressCall, rowAdded, type AutomationEntity } from '../shared/index.ts';
import AutomationsTab from './AutomationsTab.tsx';
import './automations.css';

const project = {
  id: 'p_1',
  title: 'Desk',
  permissions: ['automationList', 'automationSet'],
} as unknown as ProjectEntity;

const meta: Meta<typeof AutomationsTab> = {
  title: 'Automations/Automations of a project',
  component: AutomationsTab,
  args: { project, cameFrom: new OpenRequests<TableEntity>() },
};
export default meta;

const automation = (title: string, patch: Partial<AutomationEntity> = {}) =>
  ({
    id: title,
    project_id: 'p_1',
    title,
    trigger: { type: rowAdded.id, settings: { table: 'md_1' } },
    conditions: [],
    steps: [{ id: 's1', name: 'call', type: addressCall.id, settings: { path: 'https://example.com' } }],
    active: true,
    paused: null,
    stuck: null,
    owner: { id: 'us_1', email: 'ann@example.com' },
    last_run: { state: 'done', at: '2026-01-02T03:04:05.000Z' },
    next_runs: [],
    failures: 0,
    waiting: 0,
    dropped: 0,
    ...patch,
  }) as AutomationEntity;

const tab = (list: readonly AutomationEntity[]) => ({
  host: {
    project,
    api: ({ path }: { readonly path: string }) => {
      if (path.endsWith('/kinds'))
        return { triggers: [{ ...rowAdded, table: 'table' }], steps: [addressCall], channels: [] };
      return { list: path.endsWith('/automations') ? list : [{ id: 'md_1', title: 'Requests' }] };
    },
  },
});

/** One that runs, one that pauses by itself, and one that is off. */
export const Some: StoryObj = {
  parameters: tab([
    automation('Tell who asked'),
    automation('Plan the day', { paused: { msg: 'It started itself.' }, failures: 2, waiting: 3 }),
    automation('Clean up', { active: false, last_run: null }),
  ]),
};

export const None: StoryObj = { parameters: tab([]) };
