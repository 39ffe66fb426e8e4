import { afterEach, expect, test } from '@jest/globals';
import type { CellValue, ColumnEntity, FilterNode } from '@trellis/sdk/shared';
import {
  ApiError,
  defineWebColumnType,
  VisitedViewContext,
  type ApiRequest,
  type VisitedView,
} from '@trellis/sdk/web';
import { FilterEditor } from '@trellis/sdk/web/views';
import { aColumn, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { linkToAnotherRecord } from '../shared/index.ts';
import { linkFilterOperators } from './link-filter-operators.ts';

afterEach(cleanup);

const key = aColumn('cl_id', 'Id', { uidt: 'ID', pk: true });
const cities = {
  ...aTable([key, aColumn('cl_name', 'Title', { pv: true })]),
  id: 'md_city',
  title: 'City',
};
const linkOf = (type: 'hm' | 'bt') =>
  aColumn('cl_link', 'Cities', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    storage: 'virtual',
    colOptions: { type, fk_related_model_id: 'md_city' },
  });
const all = ['Paris', 'Lyon', 'Lima'].map((Title, index) => ({ Id: index + 1, Title }));

interface Showing {
  readonly value?: CellValue;
  readonly column?: ColumnEntity;
  readonly visit?: VisitedView;
  readonly mayRead?: boolean;
}

/** The filter editor with one condition by linked rows; gives what was kept of it, and what was asked of the server. */
function show({ value = '', column = linkOf('hm'), visit, mayRead = true }: Showing = {}) {
  const kept: CellValue[] = [];
  const asked: string[] = [];
  const api = ({ path, query }: ApiRequest) => {
    asked.push(path);
    if (path === '/api/v1/db/meta/tables/md_city') return cities;
    if (!mayRead) throw new ApiError(403, 'No');
    const words = JSON.stringify(query?.['filterArrJson'] ?? '');
    const isOfKeys = words.includes('is_group');
    const list = all.filter(({ Id, Title }) =>
      isOfKeys
        ? words.includes(`value\\":\\"${Id}\\"`)
        : !words.includes('like') ||
          Title.toLowerCase().includes(/value\\":\\"([^\\]*)/.exec(words)?.[1] ?? ''),
    );
    return { list, pageInfo: { totalRows: list.length } };
  };
  function Filters() {
    const [tree, setTree] = useState<readonly FilterNode[]>([
      { kind: 'condition', id: 'fl_1', logicalOp: 'and', columnId: column.id, operator: 'linkedto', value },
    ]);
    return (
      <VisitedViewContext.Provider value={visit}>
        <FilterEditor
          columns={[column]}
          value={tree}
          emptyText=""
          onChange={(next) => {
            setTree(next);
            for (const node of next) if (node.kind === 'condition') kept.push(node.value ?? null);
          }}
        />
      </VisitedViewContext.Provider>
    );
  }
  const type = defineWebColumnType({ ...linkToAnotherRecord, Editor: 'text' });
  renderWithHost(<Filters />, {
    api,
    registries: { columnTypes: [type], filterOperators: [...linkFilterOperators] },
  });
  return { kept, asked, user: userEvent.setup() };
}

test('rows are searched, picked and taken away by their titles, and kept by their keys', async () => {
  const { kept, user } = show();
  const button = await screen.findByRole('button', { name: 'Cities' });
  // It opens once the linked table is known.
  await waitFor(() => expect(button.matches(':disabled')).toBe(false));
  await user.click(button);
  await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'l');
  await user.click(await screen.findByRole('button', { name: 'Lyon' }));
  await user.click(await screen.findByRole('button', { name: 'Lima' }));
  expect(kept).toEqual(['2', '2,3']);
  await user.click(screen.getByRole('button', { name: 'Take Lyon away' }));
  expect(kept.at(-1)).toBe('3');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.getByRole('button', { name: 'Cities, Lima' })).toBeTruthy();
});

test('what is kept is named by the titles of the rows, and by keys where a row is gone', async () => {
  show({ value: '1,7' });
  expect(await screen.findByRole('button', { name: 'Cities, Paris, Row 7' })).toBeTruthy();
});

test('whoever may not read the linked rows sees their keys, and keeps what stands there', async () => {
  const { kept } = show({ value: '1', mayRead: false });
  expect(await screen.findByRole('button', { name: 'Cities, Row 1' })).toBeTruthy();
  expect(kept).toEqual([]);
});

test('a link to one row is asked in words for one', () => {
  show({ column: linkOf('bt') });
  const labels = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(labels).toEqual(expect.arrayContaining(['is any of', 'is none of']));
});

test('visitors of a view pick no rows, and are asked nothing of the server', () => {
  const visit: VisitedView = { uuid: 'u', viewId: 'vw_1', columns: [], tables: { md_city: cities } };
  const { asked } = show({ value: '1,2', visit });
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Cities, 2 rows' });
  expect(button.matches(':disabled')).toBe(true);
  expect(asked).toEqual([]);
});
