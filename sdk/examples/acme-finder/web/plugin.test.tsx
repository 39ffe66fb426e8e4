import { resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { RowPanelToken, type ApiRequest } from '@trellis/sdk/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FinderButton } from './FinderButton.tsx';
import { createRowSearch } from './row-search.ts';
import { TypesOfTable } from './TypesOfTable.tsx';

describeWebPlugin(resolve(import.meta.dirname, '..'));
afterEach(cleanup);

const columns = [
  aColumn('c_id', 'Id', { uidt: 'ID', pk: true }),
  aColumn('c_name', 'Name', { uidt: 'SingleLineText', pv: true }),
];
const table = aTable(columns);
const project = aProject();
const people = ['Ada', 'Alan', 'Grace'].map((Name, at) => ({ Id: at + 1, Name }));

/** Answers as the routes of rows do. */
function rowsOf({ query }: ApiRequest) {
  const [filter] = JSON.parse((query?.['filterArrJson'] as string | undefined) ?? '[]') as {
    readonly value: string;
  }[];
  const list = people.filter(({ Name }) => Name.toLowerCase().includes(filter?.value ?? ''));
  return { list: list.slice(0, Number(query?.['limit'])), pageInfo: { totalRows: list.length } };
}

test("the source of 'searchSources' finds rows of the open table by what is typed, and opens one in its panel", async () => {
  const opened: unknown[] = [];
  const rowSearch = createRowSearch((row) => void opened.push(row));
  const { host } = renderWithHost(<p />, { api: rowsOf });
  const context = { signedIn: true, superAdmin: false, project, table, view: undefined, rows: undefined };
  const actions = { ...host, signal: new AbortController().signal };
  const found = await rowSearch.find?.('a', context, actions);
  expect(found?.map(({ id, label }) => [id, label])).toEqual([
    ['1', 'Ada'],
    ['2', 'Alan'],
    ['3', 'Grace'],
  ]);
  expect((await rowSearch.find?.('gr', context, actions))?.map(({ label }) => label)).toEqual(['Grace']);
  found?.[1]?.open(actions);
  expect(opened).toEqual([{ project, table, rowKey: '2' }]);
});

test("the button of 'toolbarItems' offers rows to pick, narrows them by a search and opens the one that is picked", async () => {
  const opened: unknown[] = [];
  const { services } = renderWithHost(<FinderButton project={project} table={table} />, { api: rowsOf });
  services.bind(RowPanelToken, { value: { open: (of) => void opened.push(of) } });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Find a row' }));
  await screen.findByRole('button', { name: 'Ada' });
  await user.type(screen.getByRole('searchbox'), 'gr');
  await user.click(await screen.findByRole('button', { name: 'Grace' }));
  expect(opened).toEqual([{ project, table, rowKey: '3' }]);
});

test("what 'tableBranches' draws below a table says the types of its columns", async () => {
  renderWithHost(<TypesOfTable table={table} />, { api: () => table });
  expect(await screen.findByText('ID, SingleLineText')).toBeTruthy();
});
