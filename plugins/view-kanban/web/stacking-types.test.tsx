import { afterEach, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { WebColumnType, WebFilterOperator } from '@trellis/sdk/web';
import { OwnLookContext, plainLook, type OwnLook } from '@trellis/sdk/web/views';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import KanbanView from './KanbanView.tsx';

/** Types of somebody else's plugin. */
const mood: WebColumnType = { ...textType, id: 'Mood', stacks: 'options' };
const place: WebColumnType = { ...textType, id: 'Place', stacks: 'values' };

const options = [
  { id: 'm1', title: 'Happy', color: '#cfdffe' },
  { id: 'm2', title: 'Sad' },
];
const table = aTable([
  aColumn('cl_name', 'Name', { uidt: textType.id, pv: true }),
  aColumn('cl_mood', 'Feels', { uidt: mood.id, meta: { options } }),
  aColumn('cl_place', 'Where', { uidt: place.id }),
]);

/** What a kanban keeps, as the server gives it. */
const kept = {
  arrangements: [],
  coverId: '',
  coverFit: 'cover',
  showsNames: true,
  figureColumnId: '',
  figure: '',
};

interface Shown {
  /** How many rows have no value in the column of the stacks, or will be known to. */
  readonly empty?: number | Promise<number>;
  readonly arrangements?: readonly object[];
  readonly filters?: readonly object[];
  /** What the person looks for alone. */
  readonly look?: OwnLook;
}

const equals = { id: 'eq', label: 'is', arity: 'one' } as WebFilterOperator;

/** The board as a person sees it. */
function board(
  stackedBy: string,
  role: 'owner' | 'viewer',
  { arrangements = [], look }: Pick<Shown, 'arrangements' | 'look'>,
  of = table,
) {
  const meta = { ...kept, arrangements, stackedBy };
  const view = { id: 'vw_1', fk_model_id: table.id, view_type: 'kanban', meta };
  return (
    <OwnLookContext value={look}>
      <KanbanView
        project={aProject({ role })}
        table={of}
        view={view as unknown as ViewEntity}
        readOnly={role === 'viewer'}
      />
    </OwnLookContext>
  );
}

function show(
  stackedBy: string,
  columnTypes: readonly WebColumnType[],
  role: 'owner' | 'viewer' = 'owner',
  { empty = 0, arrangements = [], filters = [], look }: Shown = {},
) {
  return renderWithHost(board(stackedBy, role, { arrangements, look }), {
    registries: { columnTypes: [textType, ...columnTypes], filterOperators: [equals] },
    api: async ({ path }) => {
      if (path.endsWith(`/tables/${table.id}`)) return table;
      if (path.endsWith('/sorts')) return { sorts: { list: [] } };
      if (path.endsWith('/groups'))
        return { levels: [[{ values: [null], count: await empty, figures: [] }]] };
      if (path.endsWith('/filters')) return filters;
      if (path.includes('/views/')) return [];
      return { list: [], pageInfo: { totalRows: 0, isLastPage: true } };
    },
  });
}

afterEach(cleanup);

const stackTitles = () =>
  [...document.querySelectorAll('.kanban-stack')].map((of) => of.getAttribute('aria-label'));

test('a board is stacked by a list of a third party, whose options are its stacks', async () => {
  const { requests } = show('cl_mood', [mood]);
  expect(await screen.findByText('Happy')).toBeTruthy();
  expect(screen.getByText('Sad')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Add a stack' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name of the stack' }), 'Calm{Enter}');
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      uidt: 'Mood',
      meta: { options: [...options, { title: 'Calm' }] },
    }),
  );
});

test('the name of a stack is selected by the mouse without dragging the stack', async () => {
  show('cl_mood', [mood]);
  const head = await screen.findByText('Happy');
  const drag = (element: Element) => {
    fireEvent.mouseDown(element, { button: 0, clientX: 10, clientY: 10 });
    fireEvent.mouseMove(document, { clientX: 40, clientY: 10 });
  };
  const drop = () => fireEvent.mouseUp(document);
  const dragged = () => document.querySelector('.kanban-dragged');
  drag(head);
  await waitFor(() => expect(dragged()?.textContent).toBe('Happy'));
  drop();
  await waitFor(() => expect(dragged()).toBeNull());
  // For a moment after a drag its click is taken as the end of it.
  await waitFor(async () => {
    const menu = screen.getByRole('button', { name: 'Menu of the stack Happy' });
    if (menu.getAttribute('aria-expanded') !== 'true') await userEvent.click(menu);
    expect(screen.getByRole('menuitem', { name: 'Name and colour' })).toBeTruthy();
  });
  await userEvent.click(screen.getByRole('menuitem', { name: 'Name and colour' }));
  drag(await screen.findByRole('textbox', { name: 'Name of the stack' }));
  expect(dragged()).toBeNull();
  drop();
});

test('a stack is made once by a press that is doubled, and the keys stay on the board', async () => {
  const { requests } = show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a stack' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name of the stack' }), 'Calm');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Add' }));
  const button = await screen.findByRole('button', { name: 'Add a stack' });
  expect(document.activeElement).toBe(button);
  expect(requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  await userEvent.click(button);
  const field = screen.getByRole('textbox', { name: 'Name of the stack' });
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(document.activeElement).toBe(field);
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a stack' }));
});

test('a name that is typed for a new card stays, however somebody else arranges the board meanwhile', async () => {
  const { rerender } = show('cl_mood', [mood, place]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  await userEvent.keyboard('Paint');
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'New row in Happy' });
  for (const change of [{ collapsed: true }, { hidden: true }]) {
    const arrangements = [{ columnId: 'cl_mood', stacks: [{ id: 'm1', ...change }, { id: 'm2' }] }];
    rerender(board('cl_mood', 'owner', { arrangements }));
    expect(field().value).toBe('Paint');
  }
  rerender(board('cl_place', 'owner', {}));
  expect(field().value).toBe('Paint');
  expect(screen.getByText(/stacked by another column now/)).toBeTruthy();
  await userEvent.clear(field());
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'New row in Happy' })).toBeNull());
  expect(screen.queryByText(/stacked by another column now/)).toBeNull();
});

test('a name that is typed in a stack stays while somebody else deletes the stack, and its row stands without a value', async () => {
  const { rerender, requests } = show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  await userEvent.keyboard('Pai');
  const field = document.activeElement;
  const left = aColumn('cl_mood', 'Feels', { uidt: mood.id, meta: { options: options.slice(1) } });
  const without = aTable((table.columns ?? []).map((column) => (column.id === left.id ? left : column)));
  rerender(board('cl_mood', 'owner', {}, without));
  expect(stackTitles()[0]).toBe('Happy');
  expect(screen.getByText(/Somebody has deleted this stack/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Menu of the stack Happy' })).toBeNull();
  await userEvent.keyboard('nt');
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty('value', 'Paint');
  await userEvent.keyboard('{Enter}');
  const added = () => requests.find(({ method }) => method === 'POST')?.body;
  await waitFor(() => expect(added()).toMatchObject({ Name: 'Paint' }));
  expect(added()).not.toHaveProperty('Feels');
  await waitFor(() => expect(stackTitles()).not.toContain('Happy'));
  // Whoever typed there goes on where the new row is.
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New row in Uncategorised' }));
});

test('a stack that somebody deletes goes with its field where nothing is typed', async () => {
  const { rerender } = show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  const left = aColumn('cl_mood', 'Feels', { uidt: mood.id, meta: { options: options.slice(1) } });
  rerender(board('cl_mood', 'owner', {}, aTable([left, ...(table.columns ?? []).slice(0, 1)])));
  expect(stackTitles()).not.toContain('Happy');
});

test('a stack is put away by its own person once the name in it is added or taken away', async () => {
  const { toasts, requests } = show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  await userEvent.keyboard('Paint');
  await userEvent.click(screen.getByRole('button', { name: 'Menu of the stack Happy' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Collapse' }));
  expect(toasts).toMatchObject([{ severity: 'info', summary: expect.stringMatching(/Add the new row/) }]);
  expect(requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('a second stack takes a name while the first one has another', async () => {
  show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  await userEvent.keyboard('Paint');
  await userEvent.click(screen.getByRole('button', { name: 'New row in Sad' }));
  await userEvent.keyboard('Sand');
  const valueIn = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value;
  expect([valueIn('New row in Happy'), valueIn('New row in Sad')]).toEqual(['Paint', 'Sand']);
});

test('Escape in the field of a new card gives the keys back to its button', async () => {
  show('cl_mood', [mood]);
  await userEvent.click(await screen.findByRole('button', { name: 'New row in Happy' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New row in Happy' }));
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New row in Happy' }));
});

test('a board is stacked by what the rows have where the type of a third party has no list', async () => {
  show('cl_place', [place]);
  expect(await screen.findByRole('button', { name: 'Add a stack' })).toBeTruthy();
  expect(screen.queryByText('Happy')).toBeNull();
});

test('stacks are called what their type calls the values, also in menus', async () => {
  const people = { ...place, separator: ',', useNames: () => (value: unknown) => `Mx ${String(value)}` };
  show('cl_place', [people]);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a stack' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name of the stack' }), 'ann{Enter}');
  expect(await screen.findByRole('region', { name: 'Mx ann' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Menu of the stack Mx ann' })).toBeTruthy();
});

test('a type that says nothing of stacks has none', () => {
  show('cl_mood', [{ ...textType, id: 'Mood' }]);
  expect(screen.getByRole('alert').textContent).toMatch(/has another type/);
});

test('the empty stack of rows without a value is there for whoever can move cards to it, and for nobody else', async () => {
  const isThere = async (role: 'owner' | 'viewer') => {
    show('cl_mood', [mood], role);
    await screen.findByText('Happy');
    await waitFor(() => expect(document.querySelector('.kanban')?.ariaBusy).toBe('false'));
    const found = screen.queryByRole('region', { name: 'Uncategorised' }) !== null;
    cleanup();
    return found;
  };
  expect([await isThere('owner'), await isThere('viewer')]).toEqual([true, false]);
});

test.each<readonly [string, Shown, readonly string[]]>([
  ['with rows, it stands first', { empty: 3 }, ['Uncategorised', 'Happy', 'Sad']],
  ['without any, it stands last', { empty: 0 }, ['Happy', 'Sad', 'Uncategorised']],
  [
    'where the view has a place for it, it stands there',
    { empty: 3, arrangements: [{ columnId: 'cl_mood', stacks: [{ id: 'm2' }, { id: 'uncategorized' }] }] },
    ['Sad', 'Uncategorised', 'Happy'],
  ],
])('the stack of rows without a value: %s', async (_, shown, titles) => {
  show('cl_mood', [mood], 'owner', shown);
  await screen.findByText('Happy');
  await waitFor(() => expect(stackTitles()).toEqual(titles));
});

test('the stack of rows without a value is drawn once its place is known, and whoever arranges the others before saves none for it', async () => {
  let tell: (empty: number) => void = () => undefined;
  const empty = new Promise<number>((resolve) => (tell = resolve));
  const { requests } = show('cl_mood', [mood], 'owner', { empty });
  await userEvent.click(await screen.findByRole('button', { name: 'Menu of the stack Happy' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Move on' }));
  const saved = () => requests.find(({ method }) => method === 'PATCH')?.body;
  await waitFor(() => expect(saved()).toBeDefined());
  expect(saved()).toMatchObject({
    meta: { arrangements: [{ columnId: 'cl_mood', stacks: [{ id: 'm2' }, { id: 'm1' }] }] },
  });
  expect(stackTitles()).toEqual(['Sad', 'Happy']);
  tell(3);
  await waitFor(() => expect(stackTitles()).toEqual(['Uncategorised', 'Sad', 'Happy']));
});

test('a board without cards says that there are no rows, beside the stacks that take new ones', async () => {
  show('cl_mood', [mood]);
  expect(await screen.findByText('There are no rows yet.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'New row in Happy' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  cleanup();
  show('cl_mood', [mood], 'owner', { empty: 1 });
  await waitFor(() => expect(document.querySelector('.kanban')?.ariaBusy).toBe('false'));
  expect(screen.queryByText('There are no rows yet.')).toBeNull();
});

test('a board of which no row fits the filters clears them, and keeps the focus', async () => {
  const filters = [{ id: 'fi_1', fk_column_id: 'cl_name', comparison_op: 'eq', value: 'Nobody' }];
  const { requests } = show('cl_mood', [mood], 'owner', { filters });
  expect(await screen.findByText('No rows match the filters')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(document.activeElement?.className).toBe('kanban');
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({ list: [] }),
  );
  cleanup();
  show('cl_mood', [mood], 'viewer', { filters });
  expect(await screen.findByText('No rows match the filters')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
});

test('a stack that is collapsed and opened again before the view is read anew is saved as open', async () => {
  const stacks = [{ id: 'm1' }, { id: 'm2' }, { id: 'uncategorized' }];
  const { requests } = show('cl_mood', [mood], 'owner', { arrangements: [{ columnId: 'cl_mood', stacks }] });
  await userEvent.click(await screen.findByRole('button', { name: 'Menu of the stack Happy' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Collapse' }));
  await userEvent.click(screen.getByRole('button', { name: /Happy/, expanded: false }));
  const saved = () => requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()[1]).toMatchObject({
    meta: { arrangements: [{ columnId: 'cl_mood', stacks }] },
    meta_before: { arrangements: [{ stacks: [{ id: 'm1', collapsed: true }, ...stacks.slice(1)] }] },
  });
  // The queue knows what this page has saved: nothing is read for it.
  expect(requests.some(({ path }) => path.endsWith('/tables/md_1/views'))).toBe(false);
});

test.each([
  ['Happy', 'Move on', ['m2', 'm1', 'uncategorized']],
  ['Sad', 'Move back', ['m2', 'm1', 'uncategorized']],
])('a stack goes to another place by its menu, for everybody: %s, %s', async (title, entry, ids) => {
  const stacks = [{ id: 'm1' }, { id: 'm2' }, { id: 'uncategorized' }];
  const { requests } = show('cl_mood', [mood], 'owner', { arrangements: [{ columnId: 'cl_mood', stacks }] });
  await userEvent.click(await screen.findByRole('button', { name: `Menu of the stack ${title}` }));
  await userEvent.click(screen.getByRole('menuitem', { name: entry }));
  const drawn = () =>
    screen
      .getAllByRole('button', { name: /^Menu of the stack (Happy|Sad)$/ })
      .map((button) => button.getAttribute('aria-label')?.split(' ').at(-1));
  await waitFor(() => expect(drawn()).toEqual(['Sad', 'Happy']));
  const saved = requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(saved).toMatchObject([
    { meta: { arrangements: [{ columnId: 'cl_mood', stacks: ids.map((id) => ({ id })) }] } },
  ]);
});

test('the cards of every stack meet the filters of whoever looks, and stand in their order', async () => {
  /** Everything is in sight. */
  class Seen {
    readonly #tell: IntersectionObserverCallback;
    constructor(tell: IntersectionObserverCallback) {
      this.#tell = tell;
    }
    observe(): void {
      this.#tell([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
    }
    disconnect(): void {}
  }
  const { IntersectionObserver } = window;
  window.IntersectionObserver = Seen as never;
  for (const side of ['clientWidth', 'clientHeight'] as const)
    jest.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(300);
  try {
    const { requests } = show('cl_mood', [mood], 'viewer', {
      empty: 1,
      look: {
        ...plainLook,
        filters: [{ kind: 'condition', logicalOp: 'and', columnId: 'cl_name', operator: 'eq', value: 'Ada' }],
        sorts: [{ columnId: 'cl_name', direction: 'desc' }],
        change: () => undefined,
      },
    });
    const rows = () =>
      requests.filter(({ path, query }) => path.includes('/data/') && query?.['sortArrJson']);
    await waitFor(() => expect(rows().length).toBeGreaterThanOrEqual(3));
    for (const { query } of rows()) {
      expect(JSON.parse(String(query?.['sortArrJson']))).toEqual([
        { fk_column_id: 'cl_name', direction: 'desc' },
      ]);
      expect(query?.['filterArrJson']).toContain('"Ada"');
    }
    const groups = requests.filter(({ path }) => path.endsWith('/groups'));
    expect(groups.every(({ query }) => String(query?.['filterArrJson']).includes('"Ada"'))).toBe(true);
  } finally {
    window.IntersectionObserver = IntersectionObserver;
    jest.restoreAllMocks();
  }
});
