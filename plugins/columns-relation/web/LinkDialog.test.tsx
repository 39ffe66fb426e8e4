import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ColumnEntity, Row, TableEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type OpenedCell, type WebColumnType } from '@trellis/sdk/web';
import { FakeResponse, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { project, cities, link, countries, meta } from '../testing/countries.ts';
import LinkDialog from './LinkDialog.tsx';
import { LinkRequests } from './link-requests.ts';
import { mostAtOnce } from './link-calls.ts';
import type { TypedAhead } from './typed-ahead.ts';

afterEach(cleanup);

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
    readonly linked?: readonly Row[];
    /** The rows that could be linked. */
    readonly rest?: readonly Row[];
    /** The column of the links. */
    readonly column?: ColumnEntity;
  }

  /** Linked rows, as the server answers them. */
  function linkedPage(linked: readonly Row[], query: ApiRequest['query']) {
    const filters = JSON.parse((query?.filterArrJson ?? '[]') as string) as readonly {
      readonly comparison_op: string;
      readonly value: string;
    }[];
    const rows = linked.filter((row) =>
      filters.every(({ comparison_op: op, value }) => {
        const title = String(row.Title as string);
        return op === 'eq' ? title === value : title.toLowerCase().includes(value.toLowerCase());
      }),
    );
    const [offset, limit] = [Number(query?.offset ?? 0), Math.min(Number(query?.limit), mostAtOnce)];
    return { list: rows.slice(offset, offset + limit), pageInfo: { totalRows: rows.length } };
  }

  function open({ refusedText, typed, refusedLink, refusedUndo, ...others }: Opening = {}) {
    const { failing = new Set<string>(), types = [], other = cities } = others;
    const { linked = [{ Id: 1, Title: 'Paris', Pop: 2161 }], column = link } = others;
    const {
      rest = [
        { Id: 2, Title: 'Lyon' },
        { Id: 3, Title: 'Lima' },
      ],
    } = others;
    const sent: string[] = [];
    const searches: string[] = [];
    const api = ({ method = 'GET', path, query }: ApiRequest) => {
      const { type } = column.colOptions as { readonly type: string };
      const place = `/api/v1/db/data/noco/${project.id}/md_country/7/${type}/${column.id}`;
      const isTable = path === `${meta}/tables/${other.id}`;
      if (method === 'GET' && failing.has(isTable ? 'table' : path.replace(place, '')))
        throw new ApiError(500, 'Not now');
      if (isTable) return other;
      if (method === 'GET' && path.startsWith(place)) {
        const words = JSON.stringify(query ?? {});
        if (path.endsWith('/exclude')) searches.push(/"value\\":\\"([^\\]*)/.exec(words)?.[1] ?? '');
        if (!path.endsWith('/exclude')) return linkedPage(linked, query);
        const rows = rest.filter(({ Title }) => !words.includes('like') || words.includes(Title as string));
        return { list: rows.slice(0, Number(query?.limit)), pageInfo: { totalRows: rows.length } };
      }
      sent.push(`${method} ${path.replace(place, '')}`);
      if (method === 'POST' && path === `/api/v1/db/data/noco/${project.id}/${other.id}`)
        return new FakeResponse({ Id: 9, Title: 'Bern' }, { 'x-trellis-operation': 'op_row' });
      if (refusedLink !== undefined && path === `${place}/${refusedLink}`)
        throw new ApiError(400, 'This one cannot be linked.');
      if (refusedUndo !== undefined && path.endsWith('/undo')) throw new ApiError(409, refusedUndo);
      return { msg: 'success' };
    };
    const onClose = jest.fn();
    const cell = { project, table: countries, column, rowKey: '7', row: { Id: 7, Title: 'France' } };
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

  test('are shown a page at a time, and so is what could be linked, as long as there are more', async () => {
    const towns = (from: number) =>
      Array.from({ length: 25 }, (_, at) => ({ Id: from + at, Title: `Town ${from + at}` }));
    const { user, sent } = open({ linked: towns(100), rest: towns(200) });
    for (const [name, first] of [
      ['Linked rows', 100],
      ['Rows to link', 200],
    ] as const) {
      const region = within(await screen.findByRole('region', { name }));
      for (const shown of [20, 25]) {
        await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(shown));
        expect(region.getByText(`Town ${first + shown - 1}`)).toBeTruthy();
        const more = region.queryByRole('button', { name: 'Show more' });
        expect(more === null).toBe(shown === 25);
        if (more !== null) await user.click(more);
      }
    }
    expect(screen.getByRole('heading', { name: 'Linked 25' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Link Town 224' }));
    await user.click(screen.getByRole('button', { name: 'Take the link to Town 124 away' }));
    await waitFor(() => expect(sent).toEqual(['POST /224', 'DELETE /124']));
    // What was asked for stays in sight when the links were changed.
    expect(within(screen.getByRole('region', { name: 'Linked rows' })).getAllByRole('listitem')).toHaveLength(
      25,
    );
  });

  test('are shown to the last one, also beyond what one answer has', async () => {
    const towns = Array.from({ length: 1010 }, (_, at) => ({ Id: at + 100, Title: `Town ${at + 100}` }));
    const { sent } = open({ linked: towns });
    const region = await screen.findByRole('region', { name: 'Linked rows' });
    // By the document itself: asking for roles in so long a list takes a second each time.
    const shown = () => region.querySelectorAll('li').length;
    const more = () => region.querySelector<HTMLElement>(':scope > button');
    await waitFor(() => expect(shown()).toBe(20));
    for (let press = more(); press !== null; press = more()) {
      const before = shown();
      fireEvent.click(press);
      await waitFor(() => expect(shown()).toBeGreaterThan(before));
    }
    expect(shown()).toBe(1010);
    const last = region.querySelector('[aria-label="Take the link to Town 1109 away"]');
    fireEvent.click(last ?? region);
    await waitFor(() => expect(sent).toEqual(['DELETE /1109']));
  });

  test.each([
    ['of a table to itself', 'hm', countries],
    ['of a table to itself, both ways many', 'mm', countries],
    ['both ways many', 'mm', cities],
  ])('%s are listed, made, made with a new row and taken away', async (_which, type, other) => {
    const column = { ...link, colOptions: { type, fk_related_model_id: other.id } };
    const { sent, user } = open({ column, other });
    const linked = within(await screen.findByRole('region', { name: 'Linked rows' }));
    expect(await linked.findByText('Paris')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Link Lima' }));
    await user.click(linked.getByRole('button', { name: 'Take the link to Paris away' }));
    await waitFor(() => expect(sent).toEqual(['POST /3', 'DELETE /1']));
    const search = screen.getByRole('searchbox', { name: `Search ${other.title}` });
    await user.type(search, 'Bern{Enter}');
    await waitFor(() => expect(sent).toHaveLength(4));
    expect(sent[2]).toBe(`POST /api/v1/db/data/noco/${project.id}/${other.id}`);
    expect(sent[3]).toBe('POST /9');
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

  test('are not made anew with a row of the same name either that is linked beside more than are looked through', async () => {
    const linked = Array.from({ length: 300 }, (_, at) => ({ Id: 1000 + at, Title: String(300 - at) }));
    const { sent, user } = open({ linked });
    await user.type(await screen.findByRole('searchbox', { name: 'Search City' }), '1{Enter}');
    expect(await screen.findByText('“1” is linked already.')).toBeTruthy();
    expect(sent).toEqual([]);
    await user.type(screen.getByRole('searchbox', { name: 'Search City' }), '00000{Enter}');
    await waitFor(() => expect(sent.at(-1)).toBe('POST /9'));
  });

  test('that a refused text names are gone over where no row has the name and nobody can name one', async () => {
    const columns = (cities.columns ?? []).map((of) => ({ ...of, virtual: of.pv === true }));
    const refused = { refusedText: 'Nowhere, Lyon', other: { ...cities, columns } };
    const { sent, onRefusedDone, user } = open(refused);
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    expect(await screen.findByText('“Nowhere” is the name of no row.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Go on' }));
    expect(search.value).toBe('Lyon');
    expect(document.activeElement).toBe(search);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onRefusedDone).toHaveBeenCalledTimes(1));
    expect(sent).toEqual(['POST /2']);
    cleanup();
    const again = open(refused);
    const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search City' });
    await again.user.click(field);
    await again.user.keyboard('{Enter}');
    await waitFor(() => expect(field.value).toBe('Lyon'));
    expect(again.sent).toEqual([]);
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
