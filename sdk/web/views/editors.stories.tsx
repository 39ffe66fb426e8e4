import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import type { FilterNode, SortKey } from '../../shared/index.ts';
import { aColumn, aTable, textType } from '../../testing/table-fixtures.ts';
import { aView } from '../../testing/view-fixtures.ts';
import type { WebFilterOperator } from '../extensions/index.ts';
import { nameOfRow } from '../rows-by-name.ts';
import {
  ExportButton,
  FieldEditor,
  FilterEditor,
  GroupEditor,
  MoreRows,
  OwnPart,
  RowFinder,
  SortEditor,
  ViewFailure,
  type FieldPlace,
} from './index.ts';

const nothing = () => undefined;
const columns = ['Name', 'Town', 'Team'].map((title) => aColumn(`cl_${title}`, title));
const operator = (id: string, label: string): WebFilterOperator => ({
  id,
  label,
  arity: 'one',
  build: () => ({ kind: 'always', value: true }),
});
const table = aTable([aColumn('cl_id', 'Id', { pk: true }), aColumn('cl_name', 'Name', { pv: true })]);
const exportFormats = ['CSV (.csv)', 'Excel (.xlsx)'].map((label, order) => ({
  id: label,
  label,
  extension: 'csv',
  icon: 'file',
  order,
}));

/** Editors and notices of a view. */
const meta: Meta = {
  title: 'SDK/Views/Editors',
  parameters: {
    host: {
      registries: {
        columnTypes: [{ ...textType, operators: ['eq', 'like'] }],
        filterOperators: [operator('eq', 'is'), operator('like', 'contains')],
        exportFormats,
      },
    },
  },
};
export default meta;

function FiltersStory({ readOnly }: { readonly readOnly: boolean }) {
  const condition = (id: string, columnId: string, value: string): FilterNode => ({
    kind: 'condition',
    id,
    logicalOp: 'and',
    columnId,
    operator: 'like',
    value,
  });
  const [value, setValue] = useState<readonly FilterNode[]>([
    condition('a', 'cl_Name', 'Ada'),
    {
      kind: 'group',
      id: 'g',
      logicalOp: 'and',
      children: [condition('b', 'cl_Town', 'Oslo'), condition('c', 'cl_Team', 'Blue')],
    },
  ]);
  return (
    <FilterEditor emptyText="All rows are shown." {...{ columns, value, readOnly }} onChange={setValue} />
  );
}

export const Filters: StoryObj = { render: () => <FiltersStory readOnly={false} /> };
export const FiltersToRead: StoryObj = { render: () => <FiltersStory readOnly /> };

function OrderStory() {
  const [sorts, setSorts] = useState<readonly SortKey[]>([{ columnId: 'cl_Name', direction: 'asc' }]);
  const [groups, setGroups] = useState<readonly SortKey[]>([{ columnId: 'cl_Team', direction: 'desc' }]);
  return (
    <>
      <SortEditor
        emptyText="Rows stand as they were added."
        {...{ columns }}
        value={sorts}
        onChange={setSorts}
      />
      <GroupEditor emptyText="Rows are not grouped." {...{ columns }} value={groups} onChange={setGroups} />
    </>
  );
}

export const SortsAndGroups: StoryObj = { render: () => <OrderStory /> };

function FieldsStory() {
  const [value, setValue] = useState<readonly FieldPlace[]>(
    columns.map(({ id }, at) => ({ columnId: id, isShown: at !== 1 })),
  );
  return <FieldEditor {...{ columns, value }} onChange={setValue} />;
}

export const Fields: StoryObj = { render: () => <FieldsStory /> };

export const ForOneselfAlone: StoryObj = {
  render: () => (
    <OwnPart view={aView()} isSet onReset={nothing}>
      <FiltersStory readOnly={false} />
    </OwnPart>
  ),
};

function MoreStory() {
  const [most, setMost] = useState(50);
  return (
    <MoreRows most={most} total={120} atATime={50} onMore={() => setMost(most + 50)}>
      {`${most} of 120 rows are shown.`}
    </MoreRows>
  );
}

export const OnlyTheFirst: StoryObj = { render: () => <MoreStory /> };

export const NotOpened: StoryObj = {
  render: () => <ViewFailure error={new Error('The server is away.')} onRetry={nothing} />,
};

export const Download: StoryObj = { render: () => <ExportButton download={async () => undefined} /> };

function FinderStory() {
  const [search, setSearch] = useState('');
  const found = [{ Id: '1', Name: 'Ada' }];
  return (
    <RowFinder
      {...{ table }}
      rows={{ found, total: 3, problem: undefined, isLoading: false, isAnswered: true, retry: nothing }}
      search={search}
      onSearch={setSearch}
      onMore={nothing}
    >
      {(row) => <span>{nameOfRow(table, row)}</span>}
    </RowFinder>
  );
}

export const FoundRows: StoryObj = { render: () => <FinderStory /> };
