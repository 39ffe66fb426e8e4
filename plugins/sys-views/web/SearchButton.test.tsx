import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, numberType, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { RowSearchContext, useNewRowSearch, useSearchRules } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createSearchButton } from './SearchButton.tsx';
import { SearchRequests } from './search-requests.ts';

afterEach(cleanup);

const columns = [
  aColumn('cl_name', 'Name', { uidt: textType.id }),
  aColumn('cl_age', 'Age', { uidt: numberType.id }),
  aColumn('cl_note', 'Note', { uidt: textType.id }),
];
const columnTypes = [
  { ...textType, operators: ['like', 'eq'] },
  { ...numberType, operators: ['eq'] },
];
const requests = new SearchRequests();
const SearchButton = createSearchButton(requests);

function Rules() {
  return <output>{JSON.stringify(useSearchRules(columns))}</output>;
}

function View({ id }: { readonly id: string }) {
  const view = { id, title: 'All', view_type: 'grid' } as ViewEntity;
  return (
    <RowSearchContext value={useNewRowSearch(view)}>
      <SearchButton project={aProject()} table={aTable(columns)} view={view} readOnly={false} />
      <Rules />
    </RowSearchContext>
  );
}

const rules = () => JSON.parse(screen.getByRole('status').textContent) as unknown;
const contains = (text: string) => [
  {
    is_group: true,
    children: ['cl_name', 'cl_note'].map((id) => ({
      fk_column_id: id,
      comparison_op: 'like',
      value: text,
      logical_op: 'or',
    })),
  },
];

test('rows are looked for in every column of texts, until Escape ends it and gives the focus back', async () => {
  renderWithHost(<View id="vw_1" />, { registries: { columnTypes } });
  expect(rules()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Search rows' }));
  await userEvent.keyboard(' oak ');
  await waitFor(() => expect(rules()).toEqual(contains('oak')));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(rules()).toEqual([]));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Search rows' }));
});

test('a search is opened by its keys, and ends with its view', async () => {
  const { rerender } = renderWithHost(<View id="vw_1" />, {
    registries: { columnTypes },
  });
  act(() => requests.ask());
  await userEvent.keyboard('elm{Enter}');
  expect(rules()).toEqual(contains('elm'));
  await userEvent.keyboard(' 5%{Enter}');
  expect(rules()).toEqual(contains('%elm 5%%'));
  rerender(<View id="vw_2" />);
  expect(rules()).toEqual([]);
  expect(screen.queryByRole('searchbox')).toBeNull();
});
