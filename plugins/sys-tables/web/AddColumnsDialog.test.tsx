import { afterEach, expect, jest, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  defineWebColumnType,
  type ApiRequest,
  type TableDialogs,
  type WebColumnType,
} from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import AddColumnsDialog from './AddColumnsDialog.tsx';

type Added = Awaited<ReturnType<TableDialogs['addColumnsFor']>>;

function type(id: string, label: string, fits?: RegExp): WebColumnType {
  return defineWebColumnType<string>({
    id,
    label,
    icon: 'minus',
    storage: 'string',
    accepts: ['string'],
    fallback: 'SingleLineText',
    operators: [],
    parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
    format: (value) => value ?? '',
    ...(fits && { guess: (samples) => (samples.every((text) => fits.test(text)) ? 0.9 : 0) }),
    examples: [],
    Editor: 'text',
  });
}
const price: WebColumnType = {
  ...type('Price', 'Price', /^\d+ [A-Z]{3}$/),
  newOptions: (texts = []) => ({ unit: texts[0]?.slice(-3) }),
};
const columnTypes: readonly WebColumnType[] = [
  price,
  type('SingleLineText', 'Single line text'),
  type('Number', 'Number', /^\d+$/),
  type('Email', 'E-mail', /^\S+@\S+$/),
  { ...type('Date', 'Date', /^\d{4}-\d\d-\d\d$/), storage: 'date' },
  { ...type('Checkbox', 'Checkbox', /^(?:yes|no|done)$/i), storage: 'boolean' },
];
const project = { id: 'p_1', title: 'Zoo' } as unknown as ProjectEntity;
const table = { id: 'md_1', title: 'Animals', columns: [{ id: 'cl_title', title: 'Title' }] };

function show(rows: readonly (readonly string[])[], options: { mayBeNamed?: boolean; fails?: boolean } = {}) {
  const onAnswer = jest.fn<(added: Added) => void>();
  let columns = table.columns;
  const api = ({ method, body }: ApiRequest) => {
    if (method !== 'POST' || body === undefined) return {};
    if (options.fails === true && columns.length > 1) throw new ApiError(409, 'Too many columns.');
    const { title } = body as { readonly title: string };
    columns = [...columns, { id: `cl_${title}`, title }];
    return { ...table, columns };
  };
  const memory = renderWithHost(
    <AddColumnsDialog
      project={project}
      table={table as unknown as TableEntity}
      block={{ rows, from: 1, mayBeNamed: options.mayBeNamed ?? true }}
      onAnswer={onAnswer}
    />,
    { api, project, registries: { columnTypes } },
  );
  const sent = () =>
    memory.requests
      .filter(({ method = 'GET' }) => method !== 'GET')
      .map(({ method, path, body }) => ({ method, path: path.replace('/api/v1/db/meta', ''), body }));
  const listed = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  return { onAnswer, sent, listed, user: userEvent.setup() };
}

afterEach(cleanup);

const headed = [
  ['Name', 'Age', 'Mail'],
  ['Anna', '30', 'anna@zoo.org'],
  ['Ben', '40', 'ben@zoo.org'],
];

test('columns are named by the first row and typed by the others; they go and come back with the paste', async () => {
  const { onAnswer, sent, listed, user } = show(headed);
  expect(listed()).toEqual(['Age Number', 'Mail E-mail']);
  await user.click(screen.getByRole('button', { name: 'Add 2 columns' }));
  await waitFor(() => expect(onAnswer).toHaveBeenCalledTimes(1));
  expect(sent()).toMatchObject([
    { path: '/tables/md_1/columns', body: { title: 'Age', uidt: 'Number' } },
    { path: '/tables/md_1/columns', body: { title: 'Mail', uidt: 'Email' } },
  ]);
  const answer = onAnswer.mock.calls[0]?.[0];
  const added = answer === 'cancelled' ? undefined : answer;
  expect(added).toMatchObject({ columnIds: ['cl_Age', 'cl_Mail'], isNamed: true });
  await added?.made.undo();
  await added?.made.redo();
  expect(
    sent()
      .slice(2)
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual([
    'DELETE /columns/cl_Mail',
    'DELETE /columns/cl_Age',
    'POST /projects/p_1/trash/columns/cl_Age/restore',
    'POST /projects/p_1/trash/columns/cl_Mail/restore',
  ]);
});

test('a column begins with the options that its texts ask for', async () => {
  const { onAnswer, sent, user } = show([
    ['Name', 'Fee'],
    ['Anna', '30 EUR'],
  ]);
  await user.click(screen.getByRole('button', { name: 'Add a column' }));
  await waitFor(() => expect(onAnswer).toHaveBeenCalledTimes(1));
  expect(sent()).toMatchObject([{ body: { title: 'Fee', uidt: 'Price', meta: { unit: 'EUR' } } }]);
});

test('a first row of values is a row, and the person can say otherwise', async () => {
  const { listed, user } = show([
    ['Anna', '30', 'anna@zoo.org'],
    ['Ben', '40', 'ben@zoo.org'],
  ]);
  expect(listed()).toEqual(['Column Number', 'Column2 E-mail']);
  await user.click(screen.getByRole('switch', { name: 'The first row holds the names' }));
  expect(listed()).toEqual(['30 Number', 'anna@zoo.org E-mail']);
});

test('in a table with rows the first row is one, too', () => {
  const { listed } = show(headed, { mayBeNamed: false });
  expect(listed()).toEqual(['Column Single line text', 'Column2 Single line text']);
  expect(screen.queryByRole('switch')).toBeNull();
});

test('they can be left out', async () => {
  const { onAnswer, sent, user } = show(headed);
  await user.click(screen.getByRole('button', { name: 'Leave them out' }));
  expect(onAnswer.mock.calls).toEqual([[undefined]]);
  expect(sent()).toEqual([]);
});

test.each(['{Escape}', 'Close'])('with %s nothing is pasted', async (way) => {
  const { onAnswer, sent, user } = show(headed);
  await (way === 'Close' ? user.click(screen.getByRole('button', { name: way })) : user.keyboard(way));
  expect(onAnswer.mock.calls).toEqual([['cancelled']]);
  expect(sent()).toEqual([]);
});

test('a refusal is told, and leaves none of them behind', async () => {
  const { onAnswer, sent, user } = show(headed, { fails: true });
  await user.click(screen.getByRole('button', { name: 'Add 2 columns' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Too many columns.');
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ method: 'DELETE', path: '/columns/cl_Age' }));
  expect(onAnswer).not.toHaveBeenCalled();
});

test('names over dates are names, also those that are words for a tick or stand below again', () => {
  const { listed } = show([
    ['Task', 'Due', 'Status', 'Done'],
    ['Call', '2026-12-01', 'Done', 'yes'],
    ['Task', '2026-12-02', 'Status', 'no'],
  ]);
  expect(listed()).toEqual(['Due Date', 'Status Single line text', 'Done Checkbox']);
  cleanup();
  const plain = show([
    ['Ada', 'yes'],
    ['Bob', 'no'],
  ]);
  expect(plain.listed()).toEqual(['Column Checkbox']);
});
