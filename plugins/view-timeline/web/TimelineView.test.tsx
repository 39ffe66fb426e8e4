import { afterEach, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import {
  aColumn,
  answersOfView,
  aProject,
  aTable,
  aView,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { ApiError, type WebColumnType, type WebFilterOperator } from '@trellis/sdk/web';
import { OwnLookContext, plainLook } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { TimelineBar } from './TimelineBar.tsx';
import TimelineView from './TimelineView.tsx';

afterEach(cleanup);

test.each([
  ['owner', /Choose one in the settings of the view/],
  ['viewer', /or that you are not shown/],
] as const)(
  'a timeline without the column of its dates tells an %s what they can do about it',
  (role, words) => {
    const table = aTable([aColumn('cl_name', 'Name')]);
    const view = {
      id: 'vw_1',
      fk_model_id: table.id,
      view_type: 'timeline',
      meta: { fromId: 'cl_day', toId: '', length: 1, groupId: '', zoom: 'day' },
    };
    renderWithHost(
      <TimelineView
        project={aProject({ role })}
        table={table}
        view={view as unknown as ViewEntity}
        readOnly={role === 'viewer'}
      />,
    );
    expect(screen.getByRole('alert').textContent).toMatch(words);
  },
);

const dayType: WebColumnType = {
  ...textType,
  id: 'Day',
  storage: 'date',
  calendar: { unit: 'day', show: String, read: (shown) => shown },
};
const stateType: WebColumnType = { ...textType, id: 'State', stacks: 'options' };

/** A timeline of rows of today in groups, of which the first two are done and the others are open; the counts are answered as a test says. */
function showGroups(
  all: number,
  answers: { readonly groups: () => unknown; readonly count: () => unknown; readonly rows?: () => void },
): void {
  const options = ['Done', 'Open'].map((title) => ({ id: title, title, color: '#cfdffe' }));
  const table = aTable([
    aColumn('cl_id', 'Id', { pk: true, uidt: textType.id }),
    aColumn('cl_day', 'Day', { uidt: dayType.id }),
    aColumn('cl_state', 'State', { uidt: stateType.id, meta: { options } }),
  ]);
  let wasRead: () => void = () => undefined;
  const read = new Promise<void>((resolve) => (wasRead = resolve));
  const meta = { fromId: 'cl_day', toId: '', length: 1, groupId: 'cl_state', zoom: 'day' };
  renderWithHost(
    <TimelineView
      project={aProject()}
      table={table}
      view={aView({ view_type: 'timeline', meta })}
      readOnly
    />,
    {
      registries: { columnTypes: [textType, dayType, stateType] },
      api({ path, query = {} }) {
        if (path.endsWith('/groups')) return answers.groups();
        if (path.endsWith('/count')) return read.then(answers.count);
        if (path.endsWith('/sorts')) return { sorts: { list: [] } };
        if (!path.includes('/data/')) return [];
        // Rows are answered before they are counted.
        setTimeout(wasRead);
        answers.rows?.();
        const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? 25)];
        const list = Array.from({ length: Math.max(0, Math.min(limit, all - offset)) }, (_, at) => ({
          Id: offset + at + 1,
          Day: new Date().toISOString().slice(0, 10),
          State: offset + at < 2 ? 'Done' : 'Open',
        }));
        return { list };
      },
    },
  );
}
const head = (title: string) => screen.getByRole('heading', { name: new RegExp(`^${title}`) }).textContent;
const groupsOf = (counts: Readonly<Record<string, number>>) => ({
  levels: [Object.entries(counts).map(([title, count]) => ({ values: [title], count, figures: [] }))],
});
const isTooSlow = (): never => {
  throw new ApiError(503, 'It takes too long.');
};

test('the head of a group counts the rows that are not read as well, and says “at least” until it knows', async () => {
  const all = 1500;
  const nobody: (answer: object) => void = () => undefined;
  let [ask, tell] = [nobody, nobody];
  const asked = new Promise<object>((resolve) => (ask = resolve));
  const told = new Promise<object>((resolve) => (tell = resolve));
  const groups = () => {
    ask({});
    return told;
  };
  showGroups(all, { groups, count: () => ({ count: all }) });
  await waitFor(() => expect(head('Open')).toBe('Open998+'));
  await act(() => asked);
  // One of those that are done was not yet as the rows were counted.
  tell(groupsOf({ Open: 1499, Done: 1 }));
  await waitFor(() => expect(head('Open')).toBe('Open1,499'));
  expect(head('Done')).toBe('Done2');
  await userEvent.click(screen.getByRole('button', { name: 'Show 500 more' }));
  await waitFor(() => expect(head('Open')).toBe('Open1,498'));
  expect(document.activeElement?.textContent).toBe('All 1,500 are shown.');
});

test('among bars in the colours of their groups, one of no group is quiet', () => {
  const days = { start: '2026-03-29', end: '2026-03-30' };
  const bar = (name: string, color: string | undefined) => (
    <TimelineBar
      {...{ name, color, days }}
      rowKey="1"
      window={{ start: '2026-03-28', end: '2026-04-04' }}
      isQuiet
      rowColor={undefined}
      mayMove={false}
      mayResize={false}
      dayWidth={() => 40}
      onMove={() => Promise.resolve(true)}
      onOpen={undefined}
    />
  );
  renderWithHost(
    <>
      {bar('Ada', '#cfdffe')}
      {bar('Bob', undefined)}
    </>,
  );
  const isQuiet = (name: RegExp) => screen.getByRole('button', { name }).dataset['quiet'];
  expect([isQuiet(/^Ada/), isQuiet(/^Bob/)]).toEqual(['false', 'true']);
});

test('rows in groups that cannot be counted are read all the same, and it is said and tried again', async () => {
  let isSlow = true;
  const count = () => (isSlow ? isTooSlow() : { count: 1500 });
  showGroups(1500, { groups: () => groupsOf({ Open: 1498, Done: 2 }), count });
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toMatch(
    /^The first 1,000 rows .* How many there are could not be counted: It takes too long\./,
  );
  await waitFor(() => expect(head('Open')).toBe('Open998+'));
  isSlow = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(head('Open')).toBe('Open1,498'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('rows in groups that nobody can count are read on by presses, until their end is reached', async () => {
  showGroups(1500, { groups: isTooSlow, count: isTooSlow });
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(head('Open')).toBe('Open1,498'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('All 1,500 are shown.')).toBe(document.activeElement);
});

test('rows that cannot be read say so once, whatever cannot be counted beside', async () => {
  let isSlow = true;
  const rows = () => {
    if (isSlow) isTooSlow();
  };
  let wasAsked = false;
  const groups = () => {
    wasAsked = true;
    return isSlow ? isTooSlow() : groupsOf({ Open: 1498, Done: 2 });
  };
  showGroups(1500, { groups, count: () => ({ count: 1500 }), rows });
  await screen.findByRole('button', { name: 'Show 500 more' });
  await waitFor(() => expect(wasAsked).toBe(true));
  await act(() => new Promise<void>((resolve) => void setTimeout(resolve)));
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^It takes too long\./),
  ]);
  isSlow = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(head('Open')).toBe('Open1,498'));
});

test('fewer rows than are read at once need no count', async () => {
  showGroups(250, { groups: isTooSlow, count: isTooSlow });
  await waitFor(() => expect(head('Open')).toBe('Open248'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('groups that cannot be counted say so, and are counted again on demand', async () => {
  let isSlow = true;
  const groups = () => (isSlow ? isTooSlow() : groupsOf({ Open: 1498, Done: 2 }));
  showGroups(1500, { groups, count: () => ({ count: 1500 }) });
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toMatch(
    /^How many rows each group has could not be counted: It takes too long\./,
  );
  expect(head('Open')).toBe('Open998+');
  isSlow = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(head('Open')).toBe('Open1,498'));
  expect(screen.queryByRole('alert')).toBeNull();
});

const equals = { id: 'eq', label: 'is', arity: 'one' } as WebFilterOperator;

/** A timeline of weeks as a viewer sees it, who looks for Ada in an order of their own. */
function showWeeks() {
  const table = aTable([
    aColumn('cl_name', 'Name', { uidt: textType.id, pv: true }),
    aColumn('cl_day', 'Day', { uidt: dayType.id }),
  ]);
  const meta = { fromId: 'cl_day', toId: '', length: 1, groupId: '', zoom: 'week' };
  const look = {
    ...plainLook,
    filters: [
      {
        kind: 'condition',
        logicalOp: 'and',
        columnId: 'cl_name',
        operator: 'eq',
        value: 'Ada',
      },
    ],
    sorts: [{ columnId: 'cl_name', direction: 'desc' }],
    change: () => undefined,
  } as const;
  return renderWithHost(
    <OwnLookContext value={look}>
      <TimelineView
        project={aProject({ role: 'viewer' })}
        table={table}
        view={aView({ view_type: 'timeline', meta })}
        readOnly
      />
    </OwnLookContext>,
    {
      registries: { columnTypes: [textType, dayType], filterOperators: [equals] },
      api: answersOfView(table),
    },
  );
}

test('the bars of a timeline meet the filters of whoever looks, and stand in their order', async () => {
  const { requests } = showWeeks();
  const rows = () => requests.find(({ path, query }) => path.includes('/data/') && query?.['sortArrJson']);
  await waitFor(() => expect(rows()).toBeDefined());
  expect(JSON.parse(String(rows()?.query?.['sortArrJson']))).toEqual([
    { fk_column_id: 'cl_name', direction: 'desc' },
  ]);
  expect(rows()?.query?.['filterArrJson']).toContain('"Ada"');
});

test.each([
  ['en-US', 0],
  ['en-GB', 1],
])('the weeks of a timeline are drawn from the day on which they begin: %s', async (spoken, first) => {
  const languages = jest.spyOn(navigator, 'languages', 'get').mockReturnValue([spoken]);
  document.documentElement.lang = 'en';
  showWeeks();
  await waitFor(() => expect(document.querySelector('.timeline-tick')).not.toBeNull());
  const label = document.querySelector('.timeline-tick')?.textContent ?? '';
  const year = /\d{4}/.exec(document.querySelector('.timeline-band')?.textContent ?? '')?.[0] ?? '';
  expect(new Date(`${label} ${year} UTC`).getUTCDay()).toBe(first);
  languages.mockRestore();
  document.documentElement.lang = '';
});
