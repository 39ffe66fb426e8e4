import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { CommentEntity } from '../shared/index.ts';
import CommentsPane from './CommentsPane.tsx';
import './comments.css';

const project = {
  id: 'p_zoo',
  title: 'Zoo',
  permissions: ['commentList', 'commentRow', 'peopleList'],
} as unknown as ProjectEntity;

const meta: Meta<typeof CommentsPane> = {
  title: 'Comments/Comments on a row',
  component: CommentsPane,
  args: {
    project,
    table: { id: 'md_1', title: 'Animals', columns: [] } as unknown as TableEntity,
    rowKey: '1',
    onDirty: () => undefined,
  },
};
export default meta;

const said = (id: string, description: string, patch: Partial<CommentEntity> = {}) =>
  ({
    id,
    user: 'ann@example.com',
    project_id: 'p_zoo',
    fk_model_id: 'md_1',
    row_id: '1',
    op_type: 'COMMENT',
    description,
    created_at: '2026-11-22 08:00:00',
    updated_at: '2026-11-22 08:00:00',
    is_edited: false,
    is_own: false,
    columns: [],
    ...patch,
  }) as CommentEntity;

const pane = (comments: readonly CommentEntity[]) => ({
  host: {
    project,
    api: ({ path }: { readonly path: string }) =>
      path.endsWith('/people') ? { list: [{ email: 'bob@example.com', name: 'Bob Ray' }] } : comments,
  },
});

export const Some: StoryObj = {
  parameters: pane([
    said('adt_1', 'Has it eaten today, @bob@example.com?'),
    said('adt_2', 'All of it.', { user: 'bob@example.com', is_edited: true }),
    said('adt_3', 'Good.', { is_own: true }),
  ]),
};

export const None: StoryObj = { parameters: pane([]) };
