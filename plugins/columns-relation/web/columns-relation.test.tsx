import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { BaseEntity, ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type OpenedCell, type WebColumnType } from '@trellis/sdk/web';
import type { CellChange } from '@trellis/sdk/web/rows';
import {
  aColumn,
  aProject,
  aTable,
  FakeResponse,
  numberType,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { LinkOptions, WayOptions } from '../shared/index.ts';
import LinkDialog from './LinkDialog.tsx';
import { LinkRequests } from './link-requests.ts';
import type { TypedAhead } from './typed-ahead.ts';
import { lackOfLink, lackOfLookup, lackOfRollup } from './lack-of.ts';
import { LinkOptionsPanel } from './LinkOptionsPanel.tsx';
import { writeLinks } from './write-links.ts';
import { warnOfDeletion } from './warn-of-deletion.ts';
import { wayOptionsPanel } from './WayOptionsPanel.tsx';
import { inFiles, inSight, writtenAs } from './written-as.ts';

afterEach(cleanup);

const project = aProject();
const id = aColumn('cl_id', 'Id', { uidt: 'ID', pk: true });
const name = aColumn('cl_name', 'Title', { pv: true });
const cities = {
  ...aTable([id, name, aColumn('cl_pop', 'Pop', { storage: 'integer' })]),
  id: 'md_city',
  title: 'City',
};
const link = aColumn('cl_link', 'Cities', {
  uidt: 'LinkToAnotherRecord',
  virtual: true,
  storage: 'virtual',
  colOptions: { type: 'hm', fk_related_model_id: 'md_city' },
});
const countries = { ...aTable([id, name, link]), id: 'md_country', title: 'Country' };
const meta = '/api/v1/db/meta';

describe('values that are taken from another column', () => {
  const money: WebColumnType = {
    ...numberType,
    id: 'Money',
    format: (value, { options }) => `${JSON.stringify(value)} ${options.code === 'EUR' ? 'EUR' : '?'}`,
  };
  const write = writtenAs({ get: (type) => (type === 'Money' ? money : undefined) }, inFiles);
  const result = { uidt: 'Money', storage: 'decimal', meta: { code: 'EUR' } } as const;

  test('are written as that column writes them, each of a list too', () => {
    expect(write(16500, { result })).toBe('16500 EUR');
    expect(write([1, null, 2.5], { result })).toBe('1 EUR, , 2.5 EUR');
  });

  test('are written as they are where nobody tells how, and the names of linked rows too', () => {
    expect(write(16500, {})).toBe('16500');
    expect(write(16500, { result: { ...result, uidt: 'Gone' } })).toBe('16500');
    expect(write({ Id: 1, Title: 'Paris' }, { result })).toBe('Paris');
  });

  test('are shown as people of the language write them there, where the type says how', () => {
    const local = { ...money, local: { show: (value: unknown) => `${String(value)} Euro` } };
    expect(writtenAs({ get: () => local }, inSight)(2, { result })).toBe('2 Euro');
    expect(writtenAs({ get: () => local }, inFiles)(2, { result })).toBe('2 EUR');
    expect(writtenAs({ get: () => money }, inSight)(2, { result })).toBe('2 EUR');
  });

  test('an average that runs on for ever is cut', () => {
    expect(write(1 / 3, { result })).toBe('0.3333 EUR');
  });
});

describe('the links of a cell', () => {
  interface Opening {
    readonly refusedText?: string;
    readonly typed?: TypedAhead;
    readonly refusedLink?: string;
    readonly refusedUndo?: string;
    /** What the server cannot read: `table`, or the end of an address of the links. */
    readonly failing?: ReadonlySet<string>;
    readonly types?: readonly WebColumnType[];
    /** The table that the link leads to. */
    readonly other?: TableEntity;
  }

  function open({ refusedText, typed, refusedLink, refusedUndo, ...others }: Opening = {}) {
    const { failing = new Set<string>(), types = [], other = cities } = others;
    const linked = [{ Id: 1, Title: 'Paris', Pop: 2161 }];
    const rest = [
      { Id: 2, Title: 'Lyon' },
      { Id: 3, Title: 'Lima' },
    ];
    const sent: string[] = [];
    const searches: string[] = [];
    const api = ({ method = 'GET', path, query }: ApiRequest) => {
      const place = `/api/v1/db/data/noco/${project.id}/md_country/7/hm/cl_link`;
      const isTable = path === `${meta}/tables/md_city`;
      if (method === 'GET' && failing.has(isTable ? 'table' : path.replace(place, '')))
        throw new ApiError(500, 'Not now');
      if (isTable) return other;
      if (method === 'GET' && path.startsWith(place)) {
        const words = JSON.stringify(query ?? {});
        if (path.endsWith('/exclude')) searches.push(/"value\\":\\"([^\\]*)/.exec(words)?.[1] ?? '');
        const rows = path.endsWith('/exclude')
          ? rest.filter(({ Title }) => !words.includes('like') || words.includes(Title))
          : linked;
        return { list: rows, pageInfo: { totalRows: rows.length } };
      }
      sent.push(`${method} ${path.replace(place, '')}`);
      if (method === 'POST' && path === `/api/v1/db/data/noco/${project.id}/md_city`)
        return new FakeResponse({ Id: 9, Title: 'Bern' }, { 'x-trellis-operation': 'op_row' });
      if (refusedLink !== undefined && path === `${place}/${refusedLink}`)
        throw new ApiError(400, 'This one cannot be linked.');
      if (refusedUndo !== undefined && path.endsWith('/undo')) throw new ApiError(409, refusedUndo);
      return { msg: 'success' };
    };
    const onClose = jest.fn();
    const cell = { project, table: countries, column: link, rowKey: '7', row: { Id: 7, Title: 'France' } };
    const onRefusedDone = jest.fn();
    const opened = { ...cell, refusedText, onRefusedDone };
    const { toasts } = renderWithHost(<LinkDialog cell={opened} typed={typed} onClose={onClose} />, {
      api,
      project,
      registries: { columnTypes: types },
    });
    return { sent, searches, onRefusedDone, user: userEvent.setup(), onClose, toasts };
  }

  test('are listed with what could be linked, added and taken away', async () => {
    const { sent, user } = open();
    expect(await screen.findByText('Cities of France')).toBeTruthy();
    const linked = await screen.findByRole('region', { name: 'Linked rows' });
    expect(await within(linked).findByText('Paris')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Link Lyon' }));
    await waitFor(() => expect(sent).toEqual(['POST /2']));
    await user.click(await screen.findByRole('button', { name: 'Take the link to Paris away' }));
    await waitFor(() => expect(sent).toEqual(['POST /2', 'DELETE /1']));
  });

  test('are made by a press on the row itself, which is opened by its other button', async () => {
    const { sent, user, onClose } = open();
    await user.click(await screen.findByText('Lyon'));
    await waitFor(() => expect(sent).toEqual(['POST /2']));
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Open Lima' }));
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(sent).toEqual(['POST /2']);
  });

  test('are made and taken away once, however often their row is pressed meanwhile', async () => {
    const { sent, user, toasts } = open();
    const lyon = await screen.findByRole('button', { name: 'Link Lyon' });
    fireEvent.click(lyon);
    fireEvent.click(lyon);
    await waitFor(() => expect(sent).toEqual(['POST /2']));
    await user.dblClick(screen.getByRole('button', { name: 'Link Lima' }));
    const taken = await screen.findByRole('button', { name: 'Take the link to Paris away' });
    fireEvent.click(taken);
    fireEvent.click(taken);
    await waitFor(() => expect(sent).toEqual(['POST /2', 'POST /3', 'DELETE /1']));
    expect(toasts).toEqual([]);
  });

  test('are left alone by the second click of two, which may meet another row', async () => {
    const { sent } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'Link Lyon' }), { detail: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Link Lima' }), { detail: 2 });
    await waitFor(() => expect(sent).toEqual(['POST /2']));
  });

  test('are made with a new row where none has the name', async () => {
    const { sent, user } = open();
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'Bern');
    await user.click(await screen.findByRole('button', { name: /Add “Bern” to City and link it/ }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toBe('POST /9');
  });

  test('and a new row are one step: where the link is refused, the row goes again', async () => {
    const { sent, user } = open({ refusedLink: '9' });
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'Bern');
    await user.click(await screen.findByRole('button', { name: /Add “Bern” to City and link it/ }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]).toBe('POST /9');
    expect(sent[2]).toMatch(/^POST .*\/op_row\/undo$/);
  });

  test('and a new row that cannot go again: why the link is refused is told all the same', async () => {
    const { user, toasts } = open({ refusedLink: '9', refusedUndo: 'Somebody changed it since.' });
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'Bern');
    await user.click(await screen.findByRole('button', { name: /Add “Bern” to City and link it/ }));
    await waitFor(() => expect(toasts).toMatchObject([{ detail: 'This one cannot be linked.' }]));
  });

  test('are made by the keyboard alone: Enter links what was typed, new or not, also before the answer is there', async () => {
    const { sent, user } = open();
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    await user.type(search, 'Lima{Enter}');
    await waitFor(() => expect(sent).toEqual(['POST /3']));
    await waitFor(() => expect(search.value).toBe(''));
    await user.type(search, 'Bern{Enter}');
    await waitFor(() => expect(sent.at(-1)).toBe('POST /9'));
    await waitFor(() => expect(search.value).toBe(''));
    expect(document.activeElement).toBe(search);
  });

  test('are not made with a new row where nobody can name one: a formula does', async () => {
    const columns = (cities.columns ?? []).map((of) => ({ ...of, virtual: of.pv === true }));
    const { sent, user } = open({ other: { ...cities, columns } });
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'Bern{Enter}');
    expect(await screen.findByText('No row matches.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Add “Bern” to City/ })).toBeNull();
    expect(sent).toEqual([]);
  });

  test('are not made anew with a row of the same name where that one is linked already', async () => {
    const { sent, user } = open();
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), 'paris{Enter}');
    expect(await screen.findByText('“paris” is linked already.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Add “paris” to City/ })).toBeNull();
    expect(sent).toEqual([]);
  });

  test('that a refused text names are gone over where they are linked already', async () => {
    const { sent, onRefusedDone, user } = open({ refusedText: 'Paris, Lyon' });
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    await user.click(await screen.findByRole('button', { name: 'Go on' }));
    expect(search.value).toBe('Lyon');
    expect(document.activeElement).toBe(search);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onRefusedDone).toHaveBeenCalledTimes(1));
    expect(sent).toEqual(['POST /2']);
  });

  test('are searched for by what was typed on the cell and until the field was there', async () => {
    const requests = new LinkRequests();
    requests.open({ typedText: 'L' } as OpenedCell);
    await userEvent.keyboard('ona{Backspace}{Backspace}');
    const { user } = open({ typed: requests.typed });
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    await waitFor(() => expect(search.value).toBe('Lo'));
    expect(document.activeElement).toBe(search);
    await user.keyboard('{Backspace}i');
    expect(search.value).toBe('Li');
    requests.close();
  });

  test('are looked for by the titles of a refused text, which is kept until each was dealt with', async () => {
    const { sent, onRefusedDone, user } = open({ refusedText: 'Lyon, Bern' });
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    expect(search.value).toBe('Lyon');
    await user.click(await screen.findByRole('button', { name: 'Link Lyon' }));
    await waitFor(() => expect(search.value).toBe('Bern'));
    expect(onRefusedDone).not.toHaveBeenCalled();
    await user.click(await screen.findByRole('button', { name: /Add “Bern” to City and link it/ }));
    await waitFor(() => expect(onRefusedDone).toHaveBeenCalledTimes(1));
    expect(sent.filter((line) => /^POST \/\d/.test(line))).toEqual(['POST /2', 'POST /9']);
    expect(search.value).toBe('');
  });

  test('that could not be read, or searched for, are asked for again, and the keys go to the search', async () => {
    const failing = new Set(['', '/exclude']);
    const { user } = open({ failing });
    const linked = await screen.findByRole('region', { name: 'Linked rows' });
    const toLink = screen.getByRole('region', { name: 'Rows to link' });
    await within(linked).findByText('Not now');
    expect(within(linked).queryByText('Nothing is linked yet.')).toBeNull();
    await within(toLink).findByText('Not now');
    failing.clear();
    await user.click(within(linked).getByRole('button', { name: 'Try again' }));
    expect(await within(linked).findByText('Paris')).toBeTruthy();
    await user.click(within(toLink).getByRole('button', { name: 'Try again' }));
    expect(await within(toLink).findByText('Lyon')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search City' }));
    expect(screen.queryByText('Not now')).toBeNull();
  });

  test('say why the table that they lead to cannot be read, and read it when asked again', async () => {
    const failing = new Set(['table']);
    const { user } = open({ failing });
    await screen.findByText('Not now');
    failing.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Paris')).toBeTruthy();
  });

  test('are searched for by what was typed before also where their table is read at the second time, asked for by the keys', async () => {
    const failing = new Set(['table']);
    const requests = new LinkRequests();
    requests.open({ typedText: 'L' } as OpenedCell);
    await userEvent.keyboard('o');
    const { user } = open({ failing, typed: requests.typed });
    await screen.findByText('Not now');
    failing.clear();
    act(() => screen.getByRole('button', { name: 'Try again' }).focus());
    await user.keyboard('{Enter}');
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    await waitFor(() => expect(search.value).toBe('Lo'));
  });

  test('are shown with what tells them apart, but for what is covered in its cell', async () => {
    open();
    expect(await screen.findByText('2161')).toBeTruthy();
    cleanup();
    open({ types: [{ ...textType, isCovered: true }] });
    expect(await screen.findByText('Paris')).toBeTruthy();
    expect(screen.queryByText('2161')).toBeNull();
  });

  test('are searched for once the person stops typing, and a new row is offered by the answer alone', async () => {
    const { searches, user } = open();
    await screen.findByRole('button', { name: 'Link Lyon' });
    await user.type(screen.getByRole('searchbox', { name: 'Search City' }), 'Lima');
    expect(screen.queryByRole('button', { name: /Add “Lima” to City/ })).toBeNull();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Link Lyon' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Link Lima' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Add “Lima” to City/ })).toBeNull();
    expect(searches).toEqual(['', 'Lima']);
  });
});

describe('cells that are pasted', () => {
  const from = { tableId: 'md_other', columnId: 'cl_from', rowKey: '4' };
  function paste(changes: readonly Partial<CellChange>[], totalRows = 30) {
    const sent: { path: string; body: unknown }[] = [];
    const written = writeLinks({
      project,
      table: countries,
      column: link,
      changes: changes.map((change, index) => ({
        rowKey: String(index + 1),
        index,
        columnId: link.id,
        before: null,
        value: null,
        ...change,
      })),
      t: (key) => key,
      request: <T,>({ path, query }: ApiRequest) => {
        if (path === `${meta}/tables/md_city`) return Promise.resolve(cities as T);
        expect(path).toBe(`/api/v1/db/data/noco/${project.id}/md_other/4/hm/cl_from`);
        const start = Number(query?.offset);
        const list = Array.from({ length: Math.min(20, 30 - start) }, (_, at) => ({ Id: start + at + 1 }));
        return Promise.resolve({ list, pageInfo: { totalRows } } as T);
      },
      perform: <T,>({ path, body }: ApiRequest) => {
        sent.push({ path, body });
        const refused = [{ row: '1', msg: "No row of 'City' is named “x”.", code: 'LINKED_TITLE_UNKNOWN' }];
        return Promise.resolve({ refused } as T);
      },
    });
    return { written, sent };
  }

  test('are refused where the copied cell has more links than are read: a part of them would take the others away', async () => {
    const value = Array.from({ length: 25 }, (_, at) => ({ Id: at + 1, Title: 'Lyon' }));
    const { written, sent } = paste([{ value, from }], 10_001);
    expect(await written).toEqual([
      {
        rowKey: '1',
        columnId: link.id,
        message: 'The copied cell has more than {{most}} links: they cannot be pasted at once.',
      },
    ]);
    expect(sent).toEqual([]);
  });

  test('name rows by titles, or by the keys of a copied cell, and an empty one names none', async () => {
    const { written, sent } = paste([
      { value: 'x, Lyon' },
      { value: [{ Id: 2, Title: 'Lyon' }], from },
      { value: { Id: 3, Title: 'Lima' }, from },
      { value: null },
    ]);
    expect(await written).toEqual([
      { rowKey: '1', columnId: link.id, message: "No row of 'City' is named “x”." },
    ]);
    expect(sent).toEqual([
      {
        path: `/api/v1/db/data/bulk/noco/${project.id}/md_country/links/cl_link`,
        body: [
          { row: '1', rows: 'x, Lyon' },
          { row: '2', rows: ['2'] },
          { row: '3', rows: ['3'] },
          { row: '4', rows: [] },
        ],
      },
    ]);
  });

  test('take all rows of a copied cell, also those that it does not show', async () => {
    const shown = Array.from({ length: 25 }, (_, at) => ({ Id: at + 1, Title: 'x' }));
    const { written, sent } = paste([{ value: shown, from }]);
    await written;
    const keys = Array.from({ length: 30 }, (_, at) => String(at + 1));
    expect(sent).toMatchObject([{ body: [{ row: '1', rows: keys }] }]);
  });

  test('are refused where a copied cell hides the keys of its rows', async () => {
    const { written, sent } = paste([{ value: [{ Title: 'Lyon' }], from }]);
    expect(await written).toMatchObject([
      { rowKey: '1', message: expect.stringContaining('Paste their titles') },
    ]);
    expect(sent).toEqual([]);
  });
});

describe('a new link', () => {
  test('names its tables by the way that was chosen in plain words', async () => {
    const user = userEvent.setup();
    const onChange = jest.fn();
    function Panel() {
      const [options, setOptions] = useState<LinkOptions>({});
      return (
        <LinkOptionsPanel
          options={options}
          project={project}
          table={countries}
          onChange={(next) => {
            setOptions(next);
            onChange(next);
          }}
        />
      );
    }
    renderWithHost(<Panel />, {
      api: { [`GET ${meta}/projects/${project.id}/tables`]: { list: [countries, cities] } },
    });
    await screen.findByRole('option', { name: 'City' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Table to link to' }), 'md_city');
    const made = { type: 'bt', parentId: 'md_city', childId: 'md_country', title: 'City' };
    expect(onChange).toHaveBeenLastCalledWith({ link: made });
    await user.click(
      screen.getByRole('radio', { name: /Country links to several rows of City, .* to one row here/ }),
    );
    expect(onChange).toHaveBeenLastCalledWith({
      link: { type: 'hm', parentId: 'md_country', childId: 'md_city', title: 'City' },
    });
  });

  test('says what becomes of its rows when a row that they point to is deleted', async () => {
    const user = userEvent.setup();
    const onChange = jest.fn();
    const link = { type: 'hm', parentId: 'md_country', childId: 'md_city', title: 'City' } as const;
    renderWithHost(
      <LinkOptionsPanel options={{ link }} project={project} table={countries} onChange={onChange} />,
      { api: { [`GET ${meta}/projects/${project.id}/tables`]: { list: [countries, cities] } } },
    );
    const deleted = screen.getByRole('combobox', { name: 'When a row of Country is deleted' });
    await user.selectOptions(deleted, 'Delete the linked rows as well');
    expect(onChange).toHaveBeenLastCalledWith({ link: { ...link, onDelete: 'cascade' } });
  });
});

describe('a new column over a link', () => {
  const price = aColumn('cl_price', 'Price', { storage: 'decimal' });
  function propose(parts: { column: boolean; function: boolean }, others: readonly ColumnEntity[]) {
    const onChange = jest.fn();
    const Panel = wayOptionsPanel(parts);
    function Whole() {
      const [options, setOptions] = useState<WayOptions>({});
      const change = (next: WayOptions) => {
        setOptions(next);
        onChange(next);
      };
      return (
        <Panel options={options} project={project} table={countries} columns={[link]} onChange={change} />
      );
    }
    renderWithHost(<Whole />, {
      api: { [`GET ${meta}/tables/md_city`]: { ...cities, columns: others } },
    });
    return onChange;
  }

  const figure = { column: true, function: true };
  test.each([
    ['the sum of the first number', figure, [id, name, price], { columnId: 'cl_price', function: 'sum' }],
    ['the number of rows without one', figure, [name, id], { columnId: 'cl_id', function: 'count' }],
    [
      'the name of the rows for a lookup',
      { column: true, function: false },
      [id, name],
      { columnId: 'cl_name' },
    ],
  ])('proposes %s', async (_what, parts, others, proposed) => {
    const onChange = propose(parts, others);
    await waitFor(() =>
      expect(onChange).toHaveBeenLastCalledWith({ relationColumnId: 'cl_link', ...proposed }),
    );
  });

  test('proposes a column for the figure that was chosen, and leaves what was chosen alone', async () => {
    const onChange = propose(figure, [id, name, price]);
    const choice = await screen.findByRole('combobox', { name: 'Column of the linked rows' });
    await waitFor(() =>
      expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ function: 'sum' })),
    );
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Summary' }), 'Filled');
    await userEvent.selectOptions(choice, 'Title');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Summary' }), 'Average');
    expect(onChange).toHaveBeenLastCalledWith({
      relationColumnId: 'cl_link',
      columnId: 'cl_price',
      function: 'avg',
    });
  });
});

describe('what a new column over links still lacks', () => {
  test('is said by what is to be chosen, one after the other', () => {
    expect(lackOfLink({})).toBe('Choose the table to link to.');
    expect(lackOfLink({ link: { type: 'bt', parentId: 'md_city', childId: 'md_country' } })).toBeUndefined();
    const link = { relationColumnId: 'cl_cities' };
    expect([{}, link, { ...link, columnId: 'cl_title' }].map(lackOfLookup)).toEqual([
      'Choose the link that this goes over.',
      'Choose the column of the linked rows.',
      undefined,
    ]);
    expect(lackOfRollup(link)).toBe('Choose the summary.');
    expect(lackOfRollup({ ...link, function: 'sum', columnId: 'cl_title' })).toBeUndefined();
  });
});

describe('a link that is there', () => {
  const column = (virtual: boolean | null) =>
    ({
      id: 'cl_cities',
      title: 'Cities',
      uidt: 'LinkToAnotherRecord',
      colOptions: { type: 'hm', fk_related_model_id: 'md_city', dr: 'restrict', ur: null, virtual },
    }) as unknown as ColumnEntity;
  const show = (of: ColumnEntity, onChange = jest.fn()) => {
    renderWithHost(
      <LinkOptionsPanel options={{}} project={project} table={countries} column={of} onChange={onChange} />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    return screen.getByRole<HTMLSelectElement>('combobox', { name: 'When a row of Country is deleted' });
  };

  test('can do something else with its rows when a row that they point to is deleted', async () => {
    const onChange = jest.fn();
    await userEvent.setup().selectOptions(show(column(null), onChange), 'Delete the linked rows as well');
    expect(onChange).toHaveBeenLastCalledWith({ link: { onDelete: 'cascade', onUpdate: undefined } });
  });

  test('does nothing with its rows where the database does not watch over it', () => {
    expect(show(column(true)).disabled).toBe(true);
  });
});

describe('rows that are deleted', () => {
  test.each([
    ['cascade', false, true, /3 rows linked in “Cities” are deleted as well\.$/],
    [
      'cascade',
      false,
      false,
      /3 rows linked in “Cities” are deleted as well, and Undo does not bring them back/,
    ],
    ['set null', false, true, /3 rows lose their link in “Cities”\.$/],
    ['set null', false, false, /3 rows lose their link in “Cities”, and Undo does not link them again/],
    [null, false, true, /3 rows are linked in “Cities”: the deletion will be refused/],
    [null, true, true, /3 rows linked in “Cities” will point to nothing/],
  ])(
    'are told what happens to the rows that point to them: %s, virtual %s, own %s',
    async (dr, virtual, own, text) => {
      const sent: ApiRequest[] = [];
      const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
      const warned = warnOfDeletion({
        project: { ...project, bases },
        table: countries,
        column: {
          ...link,
          colOptions: {
            type: 'hm',
            fk_related_model_id: 'md_city',
            fk_child_column_id: 'cl_key',
            dr,
            virtual,
          },
        },
        rowKeys: ['7', 'a,b'],
        t: (key, values = {}) => key.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name])),
        request: <T,>(request: ApiRequest) => {
          sent.push(request);
          return Promise.resolve({ count: 3 } as T);
        },
      });
      expect(await warned).toMatch(text);
      expect(sent).toEqual([
        {
          path: `/api/v1/db/data/noco/${project.id}/md_city/count`,
          query: {
            filterArrJson: JSON.stringify([
              { fk_column_id: 'cl_key', comparison_op: 'in', value: ['7', 'a,b'] },
            ]),
          },
        },
      ]);
    },
  );
});

describe('rows that a table of links points to', () => {
  test.each([
    ['no action', false, /3 rows are linked in “Cities”: the deletion will be refused/],
    ['cascade', false, /3 rows lose their link in “Cities”, and Undo does not link them again/],
    ['cascade', true, undefined],
  ])('are told of where the database is one of others: %s, own %s', async (dr, own, text) => {
    const sent: ApiRequest[] = [];
    const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
    const colOptions = {
      type: 'mm',
      fk_related_model_id: 'md_city',
      fk_child_column_id: 'cl_id',
      fk_mm_model_id: 'md_visits',
      fk_mm_child_column_id: 'cl_country',
      dr,
    };
    const warned = await warnOfDeletion({
      project: { ...project, bases },
      table: countries,
      column: { ...link, colOptions },
      rowKeys: ['7'],
      t: (key, values = {}) => key.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name])),
      request: <T,>(request: ApiRequest) => {
        sent.push(request);
        return Promise.resolve({ count: 3 } as T);
      },
    });
    if (text === undefined) return expect([warned, sent]).toEqual([undefined, []]);
    expect(warned).toMatch(text);
    const pointing = { fk_column_id: 'cl_country', comparison_op: 'in', value: ['7'] };
    expect(sent).toEqual([
      {
        path: `/api/v1/db/data/noco/${project.id}/md_visits/count`,
        query: { filterArrJson: JSON.stringify([pointing]) },
      },
    ]);
  });
});

describe('rows whose links nobody can count', () => {
  const failing = () => Promise.reject(new Error('You may not read this table'));
  const many = Array.from({ length: 2000 }, (_, at) => String(at));
  test.each([
    ['that are many', many, 'cascade', false, /may be deleted as well, and Undo does not bring them back/],
    ['that are many, of our own', many, 'cascade', true, /may be deleted as well\.$/],
    ['of a table that may not be read', ['7'], 'cascade', true, /may be deleted as well\.$/],
    ['of a table that may not be read', ['7'], 'set null', true, /may lose their link\.$/],
  ])('are told of as well: those %s', async (_what, rowKeys, dr, own, text) => {
    const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
    const warned = warnOfDeletion({
      project: { ...project, bases },
      table: countries,
      column: {
        ...link,
        colOptions: { type: 'hm', fk_related_model_id: 'md_city', fk_child_column_id: 'cl_key', dr },
      },
      rowKeys,
      t: (key) => key,
      request: failing,
    });
    expect(await warned).toMatch(text);
  });
});

describe('a column over a link', () => {
  test('asks for a link first where there is none', () => {
    const Panel = wayOptionsPanel({ column: true, function: false });
    renderWithHost(<Panel options={{}} columns={[id, name]} onChange={jest.fn()} />);
    expect(screen.getByText(/Add a column of the type “Link to another table” first/)).toBeTruthy();
  });

  test('goes over the only link there is without being told', async () => {
    const Panel = wayOptionsPanel({ column: true, function: false });
    const onChange = jest.fn();
    renderWithHost(<Panel options={{}} columns={[link, name]} onChange={onChange} />, {
      api: { [`GET ${meta}/tables/md_city`]: cities },
    });
    await waitFor(() => expect(onChange).toHaveBeenCalledWith({ relationColumnId: 'cl_link' }));
  });

  test('says which field is missing, or what the linked table lacks, where no column can be chosen', async () => {
    const Panel = wayOptionsPanel({ column: true, function: true });
    const other = { ...link, id: 'cl_other', title: 'Others' };
    const props = { columns: [link, other], onChange: jest.fn() };
    const api = { [`GET ${meta}/tables/md_city`]: { ...cities, columns: [name] } };
    const columnChoice = () => screen.getByRole('combobox', { name: 'Column of the linked rows' });
    const why = () => document.getElementById(columnChoice().getAttribute('aria-describedby') ?? '');
    renderWithHost(<Panel {...props} options={{}} />, { api });
    expect(columnChoice()).toHaveProperty('disabled', true);
    expect(why()?.textContent).toBe('The columns are there as soon as a link is chosen.');
    cleanup();
    renderWithHost(<Panel {...props} options={{ relationColumnId: 'cl_link', function: 'sum' }} />, { api });
    await waitFor(() => expect(why()?.textContent).toMatch(/^“City” has no column of numbers\./));
    expect(columnChoice()).toHaveProperty('disabled', true);
  });

  test('says why nothing of it can be chosen once it is made', async () => {
    const Panel = wayOptionsPanel({ column: true, function: true });
    renderWithHost(
      <Panel
        options={{ relationColumnId: 'cl_link', function: 'sum', columnId: 'cl_pop' }}
        column={aColumn('cl_sum', 'Sum', { uidt: 'Rollup', virtual: true })}
        columns={[link]}
        onChange={jest.fn()}
      />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    await screen.findByText(/stays as it is\. For something else, add another column/);
    for (const choice of screen.getAllByRole('combobox')) expect(choice).toHaveProperty('disabled', true);
  });

  test('offers sums of numbers alone', async () => {
    const user = userEvent.setup();
    const Panel = wayOptionsPanel({ column: true, function: true });
    const onChange = jest.fn<(options: WayOptions) => void>();
    renderWithHost(
      <Panel
        options={{ relationColumnId: 'cl_link', function: 'sum' }}
        columns={[link]}
        onChange={onChange}
      />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    const columns = screen.getByRole('combobox', { name: 'Column of the linked rows' });
    await within(columns).findByRole('option', { name: 'Pop' });
    expect(within(columns).queryByRole('option', { name: 'Title' })).toBeNull();
    // Nobody means a sum of keys.
    expect(within(columns).queryByRole('option', { name: 'Id' })).toBeNull();
    await user.selectOptions(columns, 'cl_pop');
    expect(onChange).toHaveBeenLastCalledWith({
      relationColumnId: 'cl_link',
      function: 'sum',
      columnId: 'cl_pop',
    });
  });
});
