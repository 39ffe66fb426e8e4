import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aColumn, aProject, aTable, renderWithHost } from '../../testing/web.tsx';
import { ApiError, type ApiRequest } from '../index.ts';
import { RowPicker } from './index.ts';

afterEach(cleanup);

const table = aTable([
  aColumn('cl_id', 'Id', { pk: true, system: true }),
  aColumn('cl_name', 'Name', { pv: true }),
]);
const people = Array.from({ length: 14 }, (_, at) => ({ Id: String(at + 1), Name: `Person ${at + 1}` }));

function answer({ query }: ApiRequest) {
  const filters = JSON.parse((query?.['filterArrJson'] as string | undefined) ?? '[]') as {
    readonly value: string;
  }[];
  const list = people.filter(({ Name }) => filters.every(({ value }) => Name.includes(value)));
  return { list: list.slice(0, Number(query?.['limit'])), pageInfo: { totalRows: list.length } };
}

const names = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('rows are offered some at a time, searched by their name, and given with their key', async () => {
  const onChoose = jest.fn();
  const { requests } = renderWithHost(
    <RowPicker project={aProject()} table={table} taken={new Set(['2'])} onChoose={onChoose} />,
    { api: answer },
  );
  const user = userEvent.setup();
  await screen.findByRole('button', { name: 'Person 1' });
  // The second one is chosen already.
  expect(names()).toHaveLength(9);
  expect(names()).not.toContain('Person 2');
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByRole('button', { name: 'Person 14' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await user.type(screen.getByRole('searchbox'), '14');
  await waitFor(() => expect(names()).toEqual(['Person 14']));
  await user.click(screen.getByRole('button', { name: 'Person 14' }));
  expect(onChoose).toHaveBeenCalledWith({ Id: '14', Name: 'Person 14' }, '14');
  await user.type(screen.getByRole('searchbox'), '5');
  await screen.findByText('No row matches.');
  expect(requests.at(-1)?.path).toBe('/api/v1/db/data/noco/p_1/md_1');
});

test('a search that finds nothing but what is taken says that no other row matches', async () => {
  renderWithHost(
    <RowPicker project={aProject()} table={table} taken={new Set(['14'])} onChoose={() => undefined} />,
    { api: answer },
  );
  await screen.findByRole('button', { name: 'Person 1' });
  await userEvent.setup().type(screen.getByRole('searchbox'), '14');
  expect(await screen.findByText('No row matches.')).toBeTruthy();
});

test('what goes wrong is told, and asked again with the keys in the search', async () => {
  let isAway = true;
  renderWithHost(<RowPicker project={aProject()} table={table} onChoose={() => undefined} />, {
    api(request) {
      if (isAway) throw new ApiError(503, 'The database is away.');
      return answer(request);
    },
  });
  await screen.findByText('The database is away.');
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Person 1' });
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});
