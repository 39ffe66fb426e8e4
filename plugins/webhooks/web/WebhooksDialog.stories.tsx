import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { HookEntity } from '../shared/index.ts';
import WebhooksDialog from './WebhooksDialog.tsx';
import './webhooks.css';

const project = { id: 'p_1', permissions: ['hookList', 'hookUpdate'] } as unknown as ProjectEntity;

const meta: Meta<typeof WebhooksDialog> = {
  title: 'Webhooks/Webhooks of a table',
  component: WebhooksDialog,
  args: {
    table: { id: 'md_1', project_id: 'p_1', title: 'Animals', columns: [] } as unknown as TableEntity,
    onClose: () => undefined,
  },
};
export default meta;

const hook = (title: string, patch: Partial<HookEntity> = {}) =>
  ({
    id: title,
    project_id: 'p_1',
    fk_model_id: 'md_1',
    title,
    event: 'after',
    operation: 'insert',
    notification: JSON.stringify({ type: 'URL', payload: { path: 'https://example.com/in' } }),
    active: true,
    columns: [],
    paused: null,
    dropped: 0,
    failing: null,
    ...patch,
  }) as HookEntity;
const dialog = (list: readonly HookEntity[]) => ({ host: { project, api: () => ({ list }) } });

export const Some: StoryObj = {
  parameters: dialog([
    hook('Tell the keeper'),
    hook('Tell the shop', { failing: { at: '2026-01-02T03:04:05.000Z', status: 503, error: 'Away' } }),
    hook('Tell everybody', { active: false }),
  ]),
};

export const None: StoryObj = { parameters: dialog([]) };
