import type { ColumnEntity } from '@trellis/sdk/shared';
import { MyPluginCell } from './MyPluginCell.tsx';
import './my-plugin.css';

const column = { id: 'cl_1', title: 'Colour', uidt: 'MyPlugin' } as ColumnEntity;

/** What the stories have in common, as Storybook reads it. */
export default {
  title: 'My plugin/Cell',
  component: MyPluginCell,
  args: { column, options: {}, selected: false },
};

export const Blue = { args: { value: '#1971c2' } };

export const White = { args: { value: '#ffffff' } };
