import type { Meta, StoryObj } from '@storybook/react-vite';
import { Grid } from './Grid.tsx';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';

const meta: Meta<typeof Grid> = {
  title: 'SDK/Grid',
  component: Grid,
  args: {
    ...testPlace,
    label: 'People',
    columns: testColumns.map((column, at) => ({ ...column, frozen: at === 0 })),
  },
  decorators: [
    (Story) => (
      <div style={{ height: 480 }}>
        <Story />
      </div>
    ),
  ],
};
export default meta;

type Story = StoryObj<typeof Grid>;

/** Edits are accepted, and refused if a name is empty. */
export const Editable: Story = {
  render: (args) => {
    const source = makeRows(1000);
    return (
      <Grid
        {...args}
        source={source}
        onCommitCells={async (changes) => {
          await new Promise((resolve) => setTimeout(resolve, 400));
          const refused = changes.filter(({ columnId, value }) => columnId === 'name' && value === null);
          for (const change of changes) {
            if (!refused.includes(change)) source.put(change.index, { [change.columnId]: change.value });
          }
          return refused.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'A name is needed' }));
        }}
        onAppendRow={() => {}}
        onOpenRow={() => {}}
        onColumnMenu={() => {}}
        onInsertColumn={() => {}}
        onResizeColumn={() => {}}
        onReorderColumn={() => {}}
      />
    );
  },
};

export const ReadOnly: Story = {
  args: { readOnly: true },
  render: (args) => <Grid {...args} source={makeRows(1000)} />,
};

export const Empty: Story = {
  render: (args) => <Grid {...args} source={makeRows(0)} onAppendRow={() => {}} />,
};
