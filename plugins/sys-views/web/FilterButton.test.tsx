import { afterEach, describe, expect, test } from '@jest/globals';
import type {
  ColumnEntity,
  FilterEntity,
  FilterOperator,
  ProjectEntity,
  TableEntity,
} from '@trellis/sdk/shared';
import type { ViewEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  defineWebColumnType,
  type ApiRequest,
  type EditorProps,
  type WebFilterOperator,
} from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { OwnLookContext, useNewOwnLook, useOwnRules } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { filterByColumn, FilterRequests } from './filter-requests.ts';
import { createFilterButton } from './FilterButton.tsx';

const typeBase = { icon: 'circle', fallback: 'Text', examples: [] } as const;
const text = defineWebColumnType<string>({
  ...typeBase,
  id: 'Text',
  label: 'Text',
  storage: 'string',
  accepts: ['string'],
  operators: ['like', 'eq', 'empty', 'null'],
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
  Editor: 'text',
});
const number = defineWebColumnType<number>({
  ...typeBase,
  id: 'Number',
  label: 'Number',
  storage: 'integer',
  accepts: ['integer'],
  operators: ['eq', 'btw', 'null'],
  parse: (input) =>
    Number.isNaN(Number(input))
      ? { ok: false, message: 'must be a number' }
      : { ok: true, value: Number(input) },
  format: (value) => String(value),
  Editor: 'text',
});
const colour = defineWebColumnType<string>({
  ...typeBase,
  id: 'Colour',
  label: 'Colour',
  storage: 'string',
  accepts: ['string'],
  operators: ['eq'],
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
  Editor: ({ onCommit }: EditorProps<string>) => <button onClick={() => onCommit('red')}>Pick red</button>,
});

const operator = (id: string, label: string, arity: FilterOperator['arity']): FilterOperator => ({
  id,
  label,
  arity,
  build: () => ({ kind: 'always', value: true }),
});
const operators = [
  operator('eq', 'is equal', 'one'),
  { ...operator('like', 'is like', 'one'), takes: 'words' as const },
  operator('blank', 'is empty', 'none'),
  { ...operator('empty', 'is an empty text', 'none'), coveredBy: 'blank' },
  {
    ...operator('null', 'is null', 'none'),
    coveredBy: 'blank',
    shownAs: (of: ColumnEntity) => (of.uidt === 'Number' ? 'blank' : undefined),
  },
  operator('btw', 'is between', 'two'),
];

const column = (id: string, title: string, uidt: string, pv: boolean): ColumnEntity =>
  ({ id, title, uidt, pv, virtual: null, meta: null, rqd: false, system: false }) as ColumnEntity;
const table = {
  id: 'md_1',
  title: 'People',
  columns: [
    column('cl_name', 'Name', 'Text', true),
    column('cl_age', 'Age', 'Number', false),
    column('cl_colour', 'Colour', 'Colour', false),
    { ...column('cl_team_id', 'team_id', 'Number', false), system: true, internal: true },
  ],
} as unknown as TableEntity;
const view = { id: 'vw_1', title: 'People', lock_type: 'collaborative' } as ViewEntity;
const condition = (id: string, rest: Partial<FilterEntity>): FilterEntity =>
  ({
    id,
    fk_column_id: 'cl_name',
    fk_parent_id: null,
    logical_op: 'and',
    comparison_op: 'like',
    value: 'ada',
    is_group: null,
    ...rest,
  }) as FilterEntity;

interface Sent {
  readonly id?: string;
  readonly children?: readonly Sent[];
}

/** The filters of a view as a server keeps them: the whole tree comes and goes. */
class FilterServer {
  refuses = false;
  private made = 0;

  constructor(public filters: readonly FilterEntity[]) {}

  readonly answer = ({ method = 'GET', body }: ApiRequest): unknown => {
    if (method === 'GET') return this.filters;
    if (this.refuses) throw new ApiError(422, 'The view is locked.');
    const { list, replaces } = body as { readonly list: readonly Sent[]; readonly replaces: readonly Sent[] };
    if (replaces.map(({ id }) => id).join() !== this.filters.map(({ id }) => id).join())
      throw new ApiError(409, 'Somebody was faster.', 'FILTERS_CHANGED', { list: this.filters });
    this.filters = list.map((sent) => this.save(sent));
    return this.filters;
  };

  private save({ id = '', children, ...filter }: Sent): FilterEntity {
    const isNew = id.startsWith('new-');
    if (isNew) this.made += 1;
    const saved = children?.map((child) => this.save(child));
    return condition(isNew ? `fi_made${this.made}` : id, { ...filter, children: saved });
  }
}

const requestsOfMenus = new FilterRequests();
const FilterButton = createFilterButton(requestsOfMenus);

function OwnLook({ children }: { readonly children: ReactNode }) {
  return (
    <OwnLookContext value={useNewOwnLook()}>
      {children}
      <ReadOwnRules />
    </OwnLookContext>
  );
}

/** The rules by which this person alone reads rows. */
function ReadOwnRules() {
  const rules = useOwnRules({ project: aProject({ role: 'viewer' }), table, view });
  return <output aria-label="Own rules">{JSON.stringify(rules)}</output>;
}

const ownRules = (): unknown => JSON.parse(screen.getByLabelText('Own rules').textContent);

async function openPanel(
  filters: readonly FilterEntity[],
  {
    role = 'editor',
    of = view,
    more = [],
    own = false,
  }: {
    readonly role?: ProjectEntity['role'];
    readonly of?: ViewEntity;
    readonly more?: readonly WebFilterOperator[];
    /** Whether people can set for themselves what they may not change. */
    readonly own?: boolean;
  } = {},
) {
  const server = new FilterServer(filters);
  const project = aProject({ role });
  const user = userEvent.setup();
  const button = <FilterButton project={project} table={table} view={of} readOnly={false} />;
  const memory = renderWithHost(own ? <OwnLook>{button}</OwnLook> : button, {
    registries: { columnTypes: [text, number, colour], filterOperators: [...operators, ...more] },
    api: server.answer,
  });
  const opener = screen.getByRole('button', { name: /Filter/ });
  await user.click(opener);
  return {
    ...memory,
    server,
    user,
    button: opener,
    panel: await screen.findByRole('dialog', { name: /Filter/ }),
  };
}

/** The trees that were sent. */
function writes(requests: readonly ApiRequest[]) {
  return requests
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => (body as { readonly list: readonly object[] }).list);
}

afterEach(cleanup);

describe('the filter panel', () => {
  test('a new filter starts with the display column and the first comparison of its type', async () => {
    const { user, panel, server } = await openPanel([]);
    await user.click(within(panel).getByRole('button', { name: 'Add filter' }));
    const row = await within(panel).findByLabelText<HTMLSelectElement>('Column to filter by');
    expect(row.value).toBe('cl_name');
    expect(server.filters).toMatchObject([{ fk_column_id: 'cl_name', comparison_op: 'like', value: '' }]);
  });

  test('the menu of a column opens it with a filter by that column', async () => {
    const { user, panel, server, host } = await openPanel([]);
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    const item = filterByColumn(requestsOfMenus);
    const age = table.columns?.find(({ id }) => id === 'cl_age');
    act(
      () =>
        void item.run(
          { ...host.shell.context, view, column: age, object: undefined, person: undefined },
          host,
        ),
    );
    const row = await screen.findByLabelText<HTMLSelectElement>('Column to filter by');
    expect(row.value).toBe('cl_age');
    expect(server.filters).toMatchObject([{ fk_column_id: 'cl_age', comparison_op: 'eq' }]);
  });

  test('a filter that goes to another column begins with what suits that one, unless somebody chose a comparison', async () => {
    const { user, panel } = await openPanel([condition('fi_1', { comparison_op: 'like' })]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    await user.selectOptions(choice, 'eq');
    const column = within(panel).getByLabelText('Column to filter by');
    await user.selectOptions(column, 'cl_age');
    expect(choice.value).toBe('eq');
    await user.selectOptions(column, 'cl_name');
    expect(choice.value).toBe('like');
  });

  test('emptiness has one word, and what is stored under another comparison keeps its own', async () => {
    const { panel } = await openPanel([condition('fi_1', { comparison_op: 'null', value: '' })]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    const offered = [...choice.options].map(({ textContent }) => textContent);
    expect(offered).toEqual(['is null', 'is like', 'is equal', 'is empty']);
    expect(choice.value).toBe('null');
  });

  test('what is stored under a comparison that finds the same rows goes by the word for it, and stays so in another column', async () => {
    const kept = condition('fi_1', { fk_column_id: 'cl_age', comparison_op: 'null', value: '' });
    const { user, panel, server } = await openPanel([kept]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    const offered = [...choice.options].map(({ textContent }) => textContent);
    expect(offered).toEqual(['is equal', 'is between', 'is empty']);
    expect(choice.value).toBe('blank');
    expect(server.filters).toEqual([kept]);
    await user.selectOptions(within(panel).getByLabelText('Column to filter by'), 'cl_name');
    await waitFor(() =>
      expect(server.filters).toMatchObject([{ fk_column_id: 'cl_name', comparison_op: 'blank' }]),
    );
  });

  test('a key that was made for a link is offered only to the filter that goes by it already', async () => {
    const byKey = condition('fi_2', { fk_column_id: 'cl_team_id', comparison_op: 'eq', value: '3' });
    await openPanel([condition('fi_1', {}), byKey]);
    const offered = screen.getAllByLabelText('Column to filter by').map((select) =>
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    );
    expect(offered).toEqual([
      ['Name', 'Age', 'Colour'],
      ['Name', 'Age', 'Colour', 'team_id'],
    ]);
  });

  test('only the comparisons of the column type are offered', async () => {
    const { panel } = await openPanel([condition('fi_1', {})]);
    const choice = await within(panel).findByLabelText('Comparison');
    expect(
      within(choice)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['is like', 'is equal', 'is empty']);
  });

  test('a comparison without a value has no value input', async () => {
    const { panel } = await openPanel([condition('fi_1', { comparison_op: 'empty' })]);
    await within(panel).findByLabelText('Comparison');
    expect(within(panel).queryByLabelText('Value')).toBeNull();
  });

  test('a value that the column cannot hold is explained beside it and not sent', async () => {
    const { user, panel, requests } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_age', comparison_op: 'eq', value: '' }),
    ]);
    const input = await within(panel).findByLabelText('Value');
    await user.type(input, 'old{Enter}');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(within(panel).getByText('Age must be a number')).toBeTruthy();
    expect(writes(requests)).toEqual([]);
  });

  test('a saved value that no longer fits its column is marked as soon as the panel opens', async () => {
    const { panel } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_age', comparison_op: 'eq', value: 'Acme' }),
      condition('fi_2', { fk_column_id: 'cl_age', comparison_op: 'eq', value: '7' }),
    ]);
    const [bad, good] = await within(panel).findAllByRole('listitem');
    expect(within(bad as HTMLElement).getByRole('alert').textContent).toBe('Age must be a number');
    expect(within(good as HTMLElement).queryByRole('alert')).toBeNull();
  });

  test('a range is sent once both ends are there', async () => {
    const { user, panel, requests } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_age', comparison_op: 'btw', value: '' }),
    ]);
    await user.type(await within(panel).findByLabelText('From'), '1{Enter}');
    expect(writes(requests)).toEqual([]);
    await user.type(within(panel).getByLabelText('To'), '9{Enter}');
    await waitFor(() => expect(writes(requests)).toMatchObject([[{ id: 'fi_1', value: '1,9' }]]));
  });

  test('a column type with an editor of its own gives the value', async () => {
    const { user, panel, requests } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_colour', comparison_op: 'eq', value: '' }),
    ]);
    await user.click(await within(panel).findByRole('button', { name: 'Pick red' }));
    await waitFor(() => expect(writes(requests)).toMatchObject([[{ id: 'fi_1', value: 'red' }]]));
  });

  test('a group is made with its first filter and takes more', async () => {
    const { user, panel, server } = await openPanel([]);
    await user.click(within(panel).getByRole('button', { name: 'Add group' }));
    const group = await within(panel).findByRole('group', { name: 'Group of filters' });
    await within(group).findByLabelText('Comparison');
    await user.click(within(group).getByRole('button', { name: 'Add filter' }));
    await waitFor(() => expect(within(group).getAllByLabelText('Comparison')).toHaveLength(2));
    await waitFor(() => expect(server.filters).toMatchObject([{ is_group: true, children: [{}, {}] }]));
  });

  test('without applying while editing, nothing is sent before Apply, also for a new group', async () => {
    const { user, panel, host, requests, server } = await openPanel([condition('fi_1', {})]);
    await user.click(await within(panel).findByRole('switch', { name: 'Apply while editing' }));
    expect(host.userStorageOf('host').get('filters.auto-apply')).toBe(false);
    await user.selectOptions(within(panel).getByLabelText('Comparison'), 'eq');
    await user.click(within(panel).getByRole('button', { name: 'Add group' }));
    expect(writes(requests)).toEqual([]);
    await user.click(within(panel).getByRole('button', { name: 'Apply' }));
    await waitFor(() =>
      expect(server.filters).toMatchObject([
        { id: 'fi_1', comparison_op: 'eq' },
        { is_group: true, children: [{ comparison_op: 'like' }] },
      ]),
    );
  });

  test('counts those that filter, and not those that somebody is still typing', async () => {
    const { button } = await openPanel([
      condition('fi_1', {}),
      condition('fi_2', { value: '' }),
      condition('fi_3', { comparison_op: 'empty', value: '' }),
    ]);
    await waitFor(() => expect(button.textContent).toBe('Filter2'));
  });

  test('edits that wait for Apply can be discarded', async () => {
    const { user, panel, requests } = await openPanel([condition('fi_1', {})]);
    await user.click(await within(panel).findByRole('switch', { name: 'Apply while editing' }));
    await user.click(within(panel).getByRole('button', { name: 'Remove this filter' }));
    expect(within(panel).queryByLabelText('Comparison')).toBeNull();
    await user.click(within(panel).getByRole('button', { name: 'Discard' }));
    expect(within(panel).getByLabelText('Comparison')).toBeTruthy();
    expect(writes(requests)).toEqual([]);
  });

  test('what was refused stays with its reason, and can be sent again or taken back', async () => {
    const { user, panel, button, server } = await openPanel([condition('fi_1', {})]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    server.refuses = true;
    await user.selectOptions(choice, 'eq');
    expect((await within(panel).findByRole('alert')).textContent).toContain('The view is locked.');
    expect([choice.value, button.textContent]).toEqual(['eq', 'Filter (not applied)1']);
    await user.click(within(panel).getByRole('button', { name: 'Back to what is saved' }));
    expect(choice.value).toBe('like');
    server.refuses = false;
    await user.selectOptions(choice, 'eq');
    await waitFor(() => expect(server.filters).toMatchObject([{ comparison_op: 'eq' }]));
    expect(within(panel).queryByRole('alert')).toBeNull();
  });

  test('what somebody else changed meanwhile is not lost, and neither is what the person entered', async () => {
    const { user, panel, server } = await openPanel([condition('fi_1', {})]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    const theirs = [condition('fi_2', { comparison_op: 'empty', value: '' })];
    server.filters = theirs;
    await user.selectOptions(choice, 'eq');
    await within(panel).findByText(/Somebody was faster/);
    expect([server.filters, choice.value]).toEqual([theirs, 'eq']);
    await user.click(within(panel).getByRole('button', { name: 'Save mine' }));
    await waitFor(() => expect(server.filters).toMatchObject([{ comparison_op: 'eq' }]));
    expect(within(panel).queryByRole('alert')).toBeNull();
    server.filters = theirs;
    await user.selectOptions(within(panel).getByLabelText('Comparison'), 'blank');
    await user.click(await within(panel).findByRole('button', { name: 'Take theirs' }));
    await waitFor(() => expect(within(panel).queryByRole('alert')).toBeNull());
    expect(server.filters).toEqual(theirs);
  });

  test('a refused Apply keeps every edit', async () => {
    const { user, panel, server } = await openPanel([condition('fi_1', {}), condition('fi_2', {})]);
    await user.click(await within(panel).findByRole('switch', { name: 'Apply while editing' }));
    await user.selectOptions(within(panel).getAllByLabelText('Comparison')[0] as HTMLElement, 'eq');
    await user.click(within(panel).getAllByRole('button', { name: 'Remove this filter' })[1] as HTMLElement);
    server.refuses = true;
    await user.click(within(panel).getByRole('button', { name: 'Apply' }));
    await within(panel).findByRole('alert');
    expect(within(panel).getAllByLabelText<HTMLSelectElement>('Comparison')).toMatchObject([{ value: 'eq' }]);
    server.refuses = false;
    await user.click(within(panel).getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(server.filters).toMatchObject([{ id: 'fi_1', comparison_op: 'eq' }]));
  });

  test('a field keeps the focus while its new filter is saved, and what is typed last is not lost', async () => {
    const { user, panel, server } = await openPanel([]);
    await user.click(within(panel).getByRole('button', { name: 'Add filter' }));
    const input = within(panel).getByLabelText('Value');
    await user.type(input, 'gra');
    await waitFor(() => expect(server.filters).toMatchObject([{ id: 'fi_made1', value: 'gra' }]));
    expect(document.activeElement).toBe(input);
    await user.keyboard('ce{Escape}');
    await waitFor(() => expect(server.filters).toMatchObject([{ value: 'grace' }]));
  });

  test('a comparison of a third party is offered where it applies, with an input of its own', async () => {
    const near: WebFilterOperator = {
      ...operator('acme.near', 'is near', 'one'),
      appliesTo: ({ storage }) => storage === 'integer',
      ValueInput: ({ onChange }) => <button onClick={() => onChange('5 km')}>Pick five</button>,
    };
    const { user, panel, server } = await openPanel([condition('fi_1', {})], { more: [near] });
    const offered = () =>
      within(within(panel).getByLabelText('Comparison'))
        .getAllByRole('option')
        .map((option) => option.textContent);
    await within(panel).findByLabelText('Comparison');
    expect(offered()).not.toContain('is near');
    await user.selectOptions(within(panel).getByLabelText('Column to filter by'), 'cl_age');
    expect(offered()).toEqual(['is equal', 'is between', 'is empty', 'is near']);
    await user.selectOptions(within(panel).getByLabelText('Comparison'), 'acme.near');
    await user.click(within(panel).getByRole('button', { name: 'Pick five' }));
    await waitFor(() =>
      expect(server.filters).toMatchObject([{ comparison_op: 'acme.near', value: '5 km' }]),
    );
  });

  test('a comparison of a plugin that is off is named and stays', async () => {
    const { panel, server } = await openPanel([condition('fi_1', { comparison_op: 'near' })]);
    expect((await within(panel).findByRole('alert')).textContent).toContain(
      'The comparison near belongs to a plugin that is switched off or removed.',
    );
    expect(server.filters).toHaveLength(1);
  });

  test('viewers see the filters in groups', async () => {
    const group = condition('fi_1', { is_group: true, children: [condition('fi_2', { value: 'ada' })] });
    const { panel } = await openPanel([group], { role: 'viewer' });
    expect(await within(panel).findByLabelText<HTMLInputElement>('Value')).toMatchObject({ value: 'ada' });
  });

  test('viewers see the filters and cannot change them', async () => {
    const { panel } = await openPanel([condition('fi_1', {})], { role: 'viewer' });
    expect(await within(panel).findByLabelText<HTMLSelectElement>('Comparison')).toMatchObject({
      disabled: true,
    });
    expect(within(panel).queryByRole('button', { name: 'Add filter' })).toBeNull();
  });

  test('viewers filter for themselves, on top of the filters of the view, and go back to those', async () => {
    const saved = condition('fi_1', {});
    const { user, panel, button, requests } = await openPanel([saved], { role: 'viewer', own: true });
    const mine = within(panel).getByRole('region', { name: 'For you alone' });
    await user.click(within(mine).getByRole('button', { name: 'Add filter' }));
    // What is still to be typed filters nothing.
    expect(ownRules()).toEqual([]);
    await user.type(within(mine).getByLabelText('Value'), 'grace');
    const rule = { fk_column_id: 'cl_name', comparison_op: 'like', value: 'grace', logical_op: 'and' };
    await waitFor(() => expect(ownRules()).toEqual([{ is_group: true, children: [rule] }]));
    expect(button.textContent).toContain('2');
    await user.click(within(mine).getByRole('button', { name: 'Show it as the view has it' }));
    expect(ownRules()).toEqual([]);
    expect(button.textContent).toContain('1');
    expect(writes(requests)).toEqual([]);
  });

  test('a locked view is filtered by everybody for themselves, from the menu of a column as well', async () => {
    const { panel, host, user } = await openPanel([], { of: { ...view, lock_type: 'locked' }, own: true });
    within(panel).getByText('This view is locked. What you set here is for you alone.');
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    const item = filterByColumn(requestsOfMenus);
    const age = table.columns?.find(({ id }) => id === 'cl_age');
    const on = { ...host.shell.context, view, column: age, object: undefined, person: undefined };
    act(() => void item.run(on, host));
    const row = await screen.findByLabelText<HTMLSelectElement>('Column to filter by');
    expect(row.value).toBe('cl_age');
  });

  test('a locked view says so', async () => {
    const { panel } = await openPanel([], { of: { ...view, lock_type: 'locked' } });
    expect(within(panel).getByText(/This view is locked/)).toBeTruthy();
  });

  test('Escape closes the panel and gives the focus back', async () => {
    const { user, button } = await openPanel([]);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
  });
});
