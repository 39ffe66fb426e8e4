import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, numberType, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { ApiError, type WebColumnType } from '@trellis/sdk/web';
import { OwnLookContext, useNewOwnLook, useRowColors } from '@trellis/sdk/web/views';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { linkedKeysOf, linkOperators, linkToAnotherRecord } from '#plugins/columns-relation/shared';
import { singleSelect } from '#plugins/columns-select/shared';
import { filterOperators } from '#plugins/filters-basic/shared';
import type { ColorOptions, ColorRule } from '../shared/index.ts';
import { rowColoring } from './coloring.ts';
import { ColorsButton } from './ColorsButton.tsx';

const options = [{ id: 'o1', title: 'Open', color: '#cfdffe' }];
const table = aTable([
  aColumn('cl_name', 'Name', { uidt: textType.id, pv: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
  aColumn('cl_state', 'State', { uidt: 'SingleSelect', meta: { options } }),
  aColumn('cl_team', 'Team', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    storage: 'virtual',
    colOptions: { type: 'bt', fk_related_model_id: 'md_2', related_key_titles: ['Id'] },
  }),
]);
const viewOf = (kept?: Partial<ColorOptions>, more: Partial<ViewEntity> = {}) =>
  ({
    id: 'vw_1',
    fk_model_id: table.id,
    view_type: 'grid',
    lock_type: 'collaborative',
    meta: kept === undefined ? null : { additions: { 'row-colors': kept } },
    ...more,
  }) as unknown as ViewEntity;
const rule = (id: string, color: string, columnId: string, value: string): ColorRule => ({
  id,
  color,
  filters: [{ kind: 'condition', id: `c ${id}`, logicalOp: 'and', columnId, operator: 'eq', value }],
});
const [red, blue] = ['#cf2750', '#2d6fdb'];
const registries = {
  columnTypes: [
    textType,
    numberType,
    { ...textType, ...singleSelect, icon: 'list' } as unknown as WebColumnType,
    { ...textType, ...linkToAnotherRecord, linkedKeysOf } as unknown as WebColumnType,
  ],
  filterOperators: [...filterOperators, ...linkOperators],
  rowColorings: [rowColoring],
};

interface TabProps {
  readonly view: ViewEntity;
  readonly role: 'owner' | 'viewer';
}

/** A row in its colour, as any view draws it. */
function Row({ view, role }: TabProps) {
  const colors = useRowColors({ project: aProject({ role }), table, view });
  return (
    <p data-testid="row" {...colors.attributesOf({ key: '1', values: { cl_name: 'Ada', cl_age: 36 } })} />
  );
}

function Tab({ view, role }: TabProps) {
  return (
    <OwnLookContext value={useNewOwnLook()}>
      <ColorsButton project={aProject({ role })} table={table} view={view} readOnly={role === 'viewer'} />
      <Row view={view} role={role} />
    </OwnLookContext>
  );
}

function show(
  view: ViewEntity,
  { role = 'owner', answer = () => view }: { role?: 'owner' | 'viewer'; answer?: () => unknown } = {},
) {
  const memory = renderWithHost(<Tab view={view} role={role} />, {
    registries,
    api: {
      'PATCH /api/v1/db/meta/views/vw_1': answer,
      'GET /api/v1/db/meta/views/vw_1/columns': () => [
        { id: 'nc_1', fk_column_id: 'cl_name', show: true, order: 1, meta: null },
        { id: 'nc_2', fk_column_id: 'cl_age', show: false, order: 2, meta: null },
      ],
    },
  });
  const sent = () =>
    memory.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body as object);
  return { ...memory, sent, user: userEvent.setup() };
}
const open = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(screen.getByRole('button', { name: /^Colour/ }));
  return screen.getByRole('dialog');
};

afterEach(cleanup);

test('a rule that is added asks for its condition, and is saved with the view over what was there', async () => {
  const { user, sent } = show(viewOf());
  const panel = within(await open(user));
  await user.click(panel.getByRole('button', { name: 'Add rule' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    meta: { additions: { 'row-colors': { rules: [{ color: blue, filters: [{ columnId: 'cl_name' }] }] } } },
    meta_before: {},
  });
  expect(panel.queryByText(/colours nothing/)).toBeNull();
});

test('rules are coloured, put into another order by keys, and taken away', async () => {
  const rules = [rule('r1', red, 'cl_name', 'Ada'), rule('r2', blue, 'cl_age', '36')];
  const { user, sent } = show(viewOf({ rules }));
  const panel = within(await open(user));
  const saved = () =>
    (sent().at(-1) as { meta: { additions: Record<string, ColorOptions> } }).meta.additions['row-colors'];

  await user.click(panel.getByRole('button', { name: 'Colour of rule 1' }));
  await user.click(
    within(panel.getByRole('group', { name: 'Colour of rule 1' })).getByRole('button', { name: 'Green' }),
  );
  await waitFor(() => expect(saved()?.rules[0]?.color).toBe('#1c8a2c'));
  expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Colour of rule 1' }));

  panel.getByRole('button', { name: 'Move rule 1: arrow up or down' }).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(saved()?.rules.map(({ id }) => id)).toEqual(['r2', 'r1']));

  await user.click(panel.getByRole('button', { name: 'Remove rule 1' }));
  await waitFor(() => expect(saved()?.rules.map(({ id }) => id)).toEqual(['r1']));
  await user.click(panel.getByRole('radio', { name: 'Stripe at the edge' }));
  await waitFor(() => expect(saved()?.place).toBe('stripe'));
  await user.click(panel.getByRole('radio', { name: 'By a list of options' }));
  await waitFor(() => expect(saved()).toMatchObject({ by: 'column', columnId: 'cl_state' }));
});

test('a rule asks of a link which rows it leads to, and says that visitors see no colour of it', async () => {
  const byRows: ColorRule = {
    ...rule('r1', red, 'cl_team', '7'),
    filters: [
      {
        kind: 'condition',
        id: 'c1',
        logicalOp: 'and',
        columnId: 'cl_team',
        operator: 'linkedto',
        value: '7',
      },
    ],
  };
  const { user } = show(viewOf({ rules: [byRows] }, { uuid: 'f00d' }));
  const panel = within(await open(user));
  const comparison = panel.getByLabelText<HTMLSelectElement>('Comparison');
  expect(Array.from(comparison.options, ({ value }) => value)).toEqual([
    'linkedto',
    'notlinkedto',
    'blank',
    'notblank',
  ]);
  expect(panel.queryByText(/colours nothing/)).toBeNull();
  expect(panel.getByText(/sees no colours of rules by chosen rows/)).toBeTruthy();
});

test('a row has the colour of the first rule that it meets', () => {
  show(
    viewOf({ place: 'stripe', rules: [rule('r1', red, 'cl_name', 'Bob'), rule('r2', blue, 'cl_age', '36')] }),
  );
  const row = screen.getByTestId('row');
  expect(row.dataset.rowColor).toBe('stripe');
  expect(row.style.getPropertyValue('--tr-row-color')).toBe(blue);
});

test('a rule says what it lacks: a column that is gone, an option that is called otherwise', async () => {
  const lost = rule('r1', red, 'cl_lost', 'x');
  const renamed = rule('r2', red, 'cl_state', 'Opened');
  const { user } = show(viewOf({ rules: [lost, renamed] }), { role: 'owner' });
  const panel = within(await open(user));
  expect(panel.getByText('A column of this rule is gone, so it colours nothing.')).toBeTruthy();
  expect(panel.getByText(/“State” has no option “Opened” any more/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Colour' })).toBeTruthy();
  expect(screen.getByTestId('row').dataset.rowColor).toBeUndefined();
});

test('what was refused stays to be mended, and can be saved over what somebody else did', async () => {
  const theirs = { rules: [rule('r1', '#946800', 'cl_name', 'Ada')] };
  let isRefused = true;
  const view = viewOf({ rules: [rule('r1', red, 'cl_name', 'Ada')] });
  const { user, sent } = show(view, {
    answer: () => {
      if (!isRefused) return view;
      isRefused = false;
      throw new ApiError(409, 'Somebody else changed it.', 'OPTIONS_CHANGED', {
        meta: { additions: { 'row-colors': theirs } },
      });
    },
  });
  const panel = within(await open(user));
  await user.click(panel.getByRole('radio', { name: 'Stripe at the edge' }));
  await user.click(await panel.findByRole('button', { name: 'Save mine' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toMatchObject({
    meta: { additions: { 'row-colors': { place: 'stripe' } } },
    meta_before: { additions: { 'row-colors': theirs } },
  });
});

test('what was refused for a view is none of another one', async () => {
  const rules = [rule('r1', red, 'cl_name', 'Ada')];
  const { user, rerender } = show(viewOf({ rules }), {
    answer: () => {
      throw new ApiError(403, 'You may not change this view.');
    },
  });
  const panel = within(await open(user));
  await user.click(panel.getByRole('radio', { name: 'Stripe at the edge' }));
  await panel.findByText(/You may not change this view/);
  const role = 'owner';
  rerender(<Tab view={viewOf({ rules }, { id: 'vw_2' })} role={role} />);
  const other = within(await open(user));
  expect(other.getByRole<HTMLInputElement>('radio', { name: 'Stripe at the edge' }).checked).toBe(false);
  expect(other.queryByText(/You may not change this view/)).toBeNull();
});

test('whoever may not change the view colours it for themselves, and goes back to what it shows', async () => {
  const rules = [rule('r1', red, 'cl_name', 'Ada')];
  const { user, requests } = show(viewOf({ rules }), { role: 'viewer' });
  const row = screen.getByTestId('row');
  expect(row.style.getPropertyValue('--tr-row-color')).toBe(red);
  const panel = within(await open(user));
  await user.click(panel.getByRole('button', { name: 'Remove rule 1' }));
  expect(row.dataset.rowColor).toBeUndefined();
  await user.click(panel.getByRole('button', { name: 'Show it as the view has it' }));
  expect(row.style.getPropertyValue('--tr-row-color')).toBe(red);
  expect(requests.some(({ method }) => method === 'PATCH')).toBe(false);
});

test('of a view with a link it is said that visitors miss the colours of hidden fields', async () => {
  const words = /sees no colours that hidden fields decide/;
  const shared = { uuid: 'a-link' };
  const { user } = show(viewOf({ rules: [rule('r1', red, 'cl_age', '36')] }, shared));
  await open(user);
  await screen.findByText(words);
  cleanup();
  const other = show(viewOf({ rules: [rule('r1', red, 'cl_name', 'Ada')] }, shared));
  await open(other.user);
  await waitFor(() => expect(other.requests.some(({ path }) => path.endsWith('/columns'))).toBe(true));
  expect(screen.queryByText(words)).toBeNull();
});
