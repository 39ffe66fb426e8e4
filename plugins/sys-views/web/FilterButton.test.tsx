import { afterEach, describe, expect, test } from '@jest/globals';
import type {
  ColumnEntity,
  FilterEntity,
  FilterOperator,
  ProjectEntity,
  TableEntity,
} from '@trellis/sdk/shared';
import type { ViewEntity } from '@trellis/sdk/shared';
import { ApiError, defineWebColumnType, type ApiRequest, type EditorProps } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FilterButton } from './FilterButton.tsx';

const typeBase = { icon: 'circle', fallback: 'Text', examples: [] } as const;
const text = defineWebColumnType<string>({
  ...typeBase,
  id: 'Text',
  label: 'Text',
  storage: 'string',
  accepts: ['string'],
  operators: ['like', 'eq', 'empty'],
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
  operators: ['eq', 'btw'],
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
  operator('like', 'is like', 'one'),
  operator('empty', 'is empty', 'none'),
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

/** The filters of a view as a server keeps them. */
class FilterServer {
  refuses = false;
  private made = 0;

  constructor(public filters: readonly FilterEntity[]) {}

  readonly answer = ({ method = 'GET', path, body }: ApiRequest): unknown => {
    const [, , , , , , id = '', call] = path.split('/');
    if (method !== 'GET' && this.refuses) throw new ApiError(422, 'The view is locked.');
    if (method === 'GET') {
      const parent = call === 'children' ? id : null;
      return this.filters.filter((filter) => filter.fk_parent_id === parent);
    }
    if (method === 'POST') return this.add(body as Parameters<FilterServer['add']>[0]);
    if (method === 'DELETE') this.filters = this.filters.filter((filter) => filter.id !== id);
    else
      this.filters = this.filters.map((filter) =>
        filter.id === id ? { ...filter, ...(body as Partial<FilterEntity>) } : filter,
      );
    return '';
  };

  private add({
    children = [],
    ...filter
  }: Partial<FilterEntity> & { readonly children?: readonly Partial<FilterEntity>[] }): FilterEntity {
    this.made += 1;
    const made = condition(`fi_made${this.made}`, filter);
    this.filters = [...this.filters, made];
    for (const child of children) this.add({ ...child, fk_parent_id: made.id });
    return made;
  }
}

async function openPanel(
  filters: readonly FilterEntity[],
  { role = 'editor', of = view }: { readonly role?: ProjectEntity['role']; readonly of?: ViewEntity } = {},
) {
  const server = new FilterServer(filters);
  const project = { id: 'p_1', role } as ProjectEntity;
  const user = userEvent.setup();
  const memory = renderWithHost(<FilterButton project={project} table={table} view={of} readOnly={false} />, {
    registries: { columnTypes: [text, number, colour], filterOperators: operators },
    api: server.answer,
  });
  const button = screen.getByRole('button', { name: /Filter/ });
  await user.click(button);
  return { ...memory, server, user, button, panel: await screen.findByRole('dialog', { name: /Filter/ }) };
}

function writes(requests: readonly ApiRequest[]) {
  return requests.filter(({ method = 'GET' }) => method !== 'GET').map(({ method, body }) => [method, body]);
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

  test('a range is sent once both ends are there', async () => {
    const { user, panel, requests } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_age', comparison_op: 'btw', value: '' }),
    ]);
    await user.type(await within(panel).findByLabelText('From'), '1{Enter}');
    expect(writes(requests)).toEqual([]);
    await user.type(within(panel).getByLabelText('To'), '9{Enter}');
    await waitFor(() => expect(writes(requests)).toEqual([['PATCH', { value: '1,9' }]]));
  });

  test('a column type with an editor of its own gives the value', async () => {
    const { user, panel, requests } = await openPanel([
      condition('fi_1', { fk_column_id: 'cl_colour', comparison_op: 'eq', value: '' }),
    ]);
    await user.click(await within(panel).findByRole('button', { name: 'Pick red' }));
    await waitFor(() => expect(writes(requests)).toEqual([['PATCH', { value: 'red' }]]));
  });

  test('a group is made with its first filter and takes more', async () => {
    const { user, panel, server } = await openPanel([]);
    await user.click(within(panel).getByRole('button', { name: 'Add group' }));
    const group = await within(panel).findByRole('group', { name: 'Group of filters' });
    await within(group).findByLabelText('Comparison');
    await user.click(within(group).getByRole('button', { name: 'Add filter' }));
    await waitFor(() => expect(within(group).getAllByLabelText('Comparison')).toHaveLength(2));
    expect(server.filters.map((filter) => filter.fk_parent_id)).toEqual([null, 'fi_made1', 'fi_made1']);
  });

  test('without applying while editing, nothing is sent before Apply, also for a new group', async () => {
    const { user, panel, host, requests, server } = await openPanel([condition('fi_1', {})]);
    await user.click(await within(panel).findByRole('switch', { name: 'Apply while editing' }));
    expect(host.userStorage.get('filters.auto-apply')).toBe(false);
    await user.selectOptions(within(panel).getByLabelText('Comparison'), 'eq');
    await user.click(within(panel).getByRole('button', { name: 'Add group' }));
    expect(writes(requests)).toEqual([]);
    await user.click(within(panel).getByRole('button', { name: 'Apply' }));
    await waitFor(() =>
      expect(server.filters).toMatchObject([
        { id: 'fi_1', comparison_op: 'eq' },
        { is_group: true, fk_parent_id: null },
        { comparison_op: 'like', fk_parent_id: 'fi_made1' },
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

  test('a refused change is told and taken back', async () => {
    const { user, panel, server, toasts } = await openPanel([condition('fi_1', {})]);
    const choice = await within(panel).findByLabelText<HTMLSelectElement>('Comparison');
    server.refuses = true;
    await user.selectOptions(choice, 'eq');
    await waitFor(() => expect(toasts).toMatchObject([{ severity: 'error', detail: 'The view is locked.' }]));
    await waitFor(() => expect(choice.value).toBe('like'));
  });

  test('a comparison of a plugin that is off is named and stays', async () => {
    const { panel, server } = await openPanel([condition('fi_1', { comparison_op: 'near' })]);
    expect((await within(panel).findByRole('alert')).textContent).toContain(
      'The comparison near belongs to a plugin that is switched off.',
    );
    expect(server.filters).toHaveLength(1);
  });

  test('viewers see the filters and cannot change them', async () => {
    const { panel } = await openPanel([condition('fi_1', {})], { role: 'viewer' });
    expect(await within(panel).findByLabelText<HTMLSelectElement>('Comparison')).toMatchObject({
      disabled: true,
    });
    expect(within(panel).queryByRole('button', { name: 'Add filter' })).toBeNull();
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
