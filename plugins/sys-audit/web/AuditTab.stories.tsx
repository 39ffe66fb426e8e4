import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity } from '@trellis/sdk/shared';
import type { AuditEntity } from '../shared/index.ts';
import AuditTab from './AuditTab.tsx';
import './audit.css';

const project = {
  id: 'p_1',
  title: 'Zoo',
  permissions: ['auditList', 'userList'],
} as unknown as ProjectEntity;

const meta: Meta<typeof AuditTab> = {
  title: 'Audit/Audit of a project',
  component: AuditTab,
  args: { project },
};
export default meta;

const line = (id: string, description: string, patch: Partial<AuditEntity> = {}) =>
  ({
    id,
    user: 'ann@example.com',
    project_id: 'p_1',
    fk_model_id: 'md_1',
    table_title: 'Animals',
    row_id: '1',
    row_count: 1,
    op_type: 'DATA',
    op_sub_type: 'UPDATE',
    description,
    details: null,
    changes: [],
    created_at: '2026-11-01 10:00:00',
    ...patch,
  }) as AuditEntity;

const tab = (list: readonly AuditEntity[]) => ({
  host: {
    project,
    api: {
      'GET /api/v1/db/meta/projects/p_1/audits': { list, pageInfo: { totalRows: list.length } },
      'GET /api/v1/db/meta/projects/p_1/tables': { list: [{ id: 'md_1', title: 'Animals' }] },
      'GET /api/v1/db/meta/projects/p_1/users': { users: { list: [{ email: 'ann@example.com' }] } },
    },
  },
});

export const Some: StoryObj = {
  parameters: tab([
    line('adt_1', '1 updated in Animals'),
    line('adt_2', '2 inserted into Animals', { op_sub_type: 'INSERT', row_id: '2' }),
  ]),
};
export const None: StoryObj = { parameters: tab([]) };
