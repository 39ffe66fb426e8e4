import type { ColumnEntity, ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { myPlugin } from '../shared/index.ts';
import { MyPluginView } from './MyPluginView.tsx';

const column = { id: 'cl_1', fk_model_id: 'md_1', title: 'Name', uidt: 'SingleLineText' } as ColumnEntity;

/** What the stories have in common, as Storybook reads it. */
export default {
  title: 'My plugin/View',
  component: MyPluginView,
  args: {
    project: { id: 'p_1', title: 'Demo' } as ProjectEntity,
    table: { id: 'md_1', title: 'People', columns: [column] } as unknown as TableEntity,
    view: { id: 'vw_1', fk_model_id: 'md_1', title: 'Everybody', view_type: 'myPlugin' } as ViewEntity,
    readOnly: true,
  },
};

const rows = '/api/v1/db/data/noco/p_1/md_1/views/vw_1';

/** What furnishes the page in which a story is drawn: the view's type, and what its server answers. */
const withRows = (list: readonly object[]) => ({
  host: {
    registries: { viewTypes: [{ ...myPlugin, icon: 'th-large', View: MyPluginView }] },
    api: {
      'GET /api/v1/db/meta/views/vw_1/columns': [{ fk_column_id: 'cl_1', show: true, order: 1 }],
      [`GET ${rows}/count`]: { count: list.length },
      [`GET ${rows}`]: { list },
    },
  },
});

export const Filled = {
  parameters: withRows([
    { Id: 1, Name: 'Ada' },
    { Id: 2, Name: 'Grace' },
  ]),
};

export const Empty = { parameters: withRows([]) };
