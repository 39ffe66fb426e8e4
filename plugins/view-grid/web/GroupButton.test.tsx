import { afterEach, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { OwnLookContext, useNewOwnLook, useSaveViewOptions } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { GroupButton } from './GroupButton.tsx';
import { proposedGrouping } from './grid-options.ts';

const id = aColumn('cl_id', 'Id', { uidt: 'ID', pk: true });
const title = aColumn('cl_title', 'Title', { uidt: 'SingleLineText', pv: true });
const key = aColumn('cl_key', 'Key of genre', { uidt: 'ForeignKey', system: true });
const code = aColumn('cl_code', 'Code', { uidt: 'SingleLineText', unique: true });
const city = aColumn('cl_city', 'City', { uidt: 'SingleLineText' });
const state = aColumn('cl_state', 'State', { uidt: 'SingleSelect' });
const done = aColumn('cl_done', 'Done', { uidt: 'Checkbox' });
const link = (name: string, type: string) =>
  aColumn(`cl_${name}`, name, { uidt: 'LinkToAnotherRecord', virtual: true, colOptions: { type } });

afterEach(cleanup);

test.each([
  ['a select', [id, title, code, city, link('Genre', 'bt'), done, state], 'State'],
  ['a checkbox before a link', [id, title, city, link('Genre', 'bt'), done], 'Done'],
  [
    'a link to one row, and not one to many',
    [id, title, city, link('Lists', 'mm'), link('Genre', 'bt')],
    'Genre',
  ],
  ['a text that rows may share', [id, title, code, city], 'City'],
  ['nothing that is another one in each row', [id, title, code], undefined],
] as readonly (readonly [string, readonly ColumnEntity[], string | undefined])[])(
  'what comes first to group by: %s',
  (_what, columns, proposed) => {
    expect(proposedGrouping(columns)?.title).toBe(proposed);
  },
);

test('columns are offered as for filters, and the proposed one is taken', async () => {
  const user = userEvent.setup();
  const junction = { ...link('PlaylistTrack List', 'hm'), system: true };
  // Cells of lists have no value that rows could share.
  const several = { uidt: 'Text', storage: 'string', meta: {}, several: true } as const;
  const lists = [link('Fans', 'mm'), aColumn('cl_names', 'Names', { virtual: true, asked: several })];
  const table = {
    id: 'md_1',
    title: 'Track',
    columns: [id, key, title, junction, done, ...lists],
  } as unknown as TableEntity;
  const view = { id: 'vw_1', fk_model_id: 'md_1', type: 'grid', meta: null } as unknown as ViewEntity;
  const { requests } = renderWithHost(
    <GroupButton project={aProject({ role: 'owner' })} table={table} view={view} readOnly={false} />,
    {
      registries: { columnTypes: [textType, { ...textType, id: 'LinkToAnotherRecord' }] },
      api: { 'PATCH /api/v1/db/meta/views/vw_1': view },
    },
  );
  await user.click(screen.getByRole('button', { name: /Group/ }));
  await user.click(screen.getByRole('button', { name: 'Add grouping' }));
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      meta: { groups: [{ columnId: 'cl_done', direction: 'asc' }] },
    }),
  );
  const offered = [...screen.getByLabelText<HTMLSelectElement>('Column to group by').options];
  expect(offered.map(({ text }) => text)).toEqual(['Title', 'Done', 'Id', 'Key of genre']);
});

test('changes that follow each other at once are all kept, each made of the one before', async () => {
  const user = userEvent.setup();
  const table = { id: 'md_1', title: 'Track', columns: [title, city, done] } as unknown as TableEntity;
  const view = {
    id: 'vw_1',
    fk_model_id: 'md_1',
    type: 'grid',
    meta: { height: 'tall' },
  } as unknown as ViewEntity;
  const answers: (() => void)[] = [];
  const { requests } = renderWithHost(
    <GroupButton project={aProject({ role: 'owner' })} table={table} view={view} readOnly={false} />,
    {
      registries: { columnTypes: [textType] },
      api: {
        'PATCH /api/v1/db/meta/views/vw_1': () => new Promise((done) => answers.push(() => done(view))),
      },
    },
  );
  const sent = () => requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  await user.click(screen.getByRole('button', { name: /Group/ }));
  await user.click(screen.getByRole('button', { name: 'Add grouping' }));
  await user.selectOptions(screen.getByLabelText('Column to group by'), 'City');
  const groupedBy = (columnId: string) => ({ height: 'tall', groups: [{ columnId, direction: 'asc' }] });
  const first = { meta: groupedBy('cl_done'), meta_before: { height: 'tall' } };
  await waitFor(() => expect(sent()).toEqual([first]));
  answers[0]?.();
  await waitFor(() =>
    expect(sent()).toEqual([first, { meta: groupedBy('cl_city'), meta_before: groupedBy('cl_done') }]),
  );
  answers[1]?.();
  await waitFor(() => expect(screen.getByLabelText('Column to group by')).toHaveProperty('value', 'cl_city'));
});

interface Save {
  readonly options: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  done(this: void, saved: unknown): void;
}

/** Saves options and shows a view as events of the page say. */
function Saver({ page, view }: { readonly page: EventTarget; readonly view: ViewEntity }) {
  const [shown, setShown] = useState(view);
  const save = useSaveViewOptions(shown);
  useEffect(() => {
    const given = new AbortController();
    const on = <Detail,>(name: string, act: (detail: Detail) => void) =>
      page.addEventListener(name, (event) => act((event as CustomEvent<Detail>).detail), {
        signal: given.signal,
      });
    on<Save>('save', ({ options, before, done }) => done(save(options, before)));
    on<ViewEntity>('show', setShown);
    return () => given.abort();
  }, [page, save]);
  return null;
}

test('a change made over what was read between two saves is made of the last one', async () => {
  const view = { id: 'vw_1', fk_model_id: 'md_1', view_type: 'grid', meta: {} } as unknown as ViewEntity;
  const read = (meta: object) => ({ ...view, meta }) as unknown as ViewEntity;
  const [none, a, b, c] = [{}, { k: 'a' }, { k: 'b' }, { k: 'c', own: 1 }];
  const page = new EventTarget();
  const save = (options: object, before: object) =>
    new Promise((done) => {
      page.dispatchEvent(new CustomEvent('save', { detail: { options, before, done } }));
    });
  const show = (detail: ViewEntity) => page.dispatchEvent(new CustomEvent('show', { detail }));
  const { requests } = renderWithHost(<Saver page={page} view={view} />, {
    api: { 'PATCH /api/v1/db/meta/views/vw_1': view },
  });
  await Promise.all([save(a, none), save(b, none)]);
  act(() => void show(read(a)));
  await save(c, a);
  expect(requests.at(-1)?.body).toEqual({ meta: c, meta_before: b });
  // Once the page shows the last one, others decide what comes before.
  act(() => void show(read(c)));
  await save(a, none);
  expect(requests.at(-1)?.body).toEqual({ meta: a, meta_before: none });
});

function GroupOfViewer() {
  const table = { id: 'md_1', title: 'Track', columns: [title, city, done] } as unknown as TableEntity;
  const meta = { groups: [{ columnId: 'cl_city', direction: 'asc' }] };
  const view = { id: 'vw_1', fk_model_id: 'md_1', view_type: 'grid', meta } as unknown as ViewEntity;
  return (
    <OwnLookContext value={useNewOwnLook()}>
      <GroupButton project={aProject({ role: 'viewer' })} table={table} view={view} readOnly />
    </OwnLookContext>
  );
}

test('viewers group for themselves, begin with the groups of the view, and go back to those', async () => {
  const user = userEvent.setup();
  const { requests } = renderWithHost(<GroupOfViewer />, { registries: { columnTypes: [textType] } });
  const chosen = () =>
    screen.queryAllByLabelText<HTMLSelectElement>('Column to group by').map(({ value }) => value);
  await user.click(screen.getByRole('button', { name: /Group/ }));
  expect(chosen()).toEqual(['cl_city']);
  await user.click(screen.getByRole('button', { name: 'Add grouping' }));
  expect(chosen()).toEqual(['cl_city', 'cl_done']);
  for (const remove of screen.getAllByRole('button', { name: 'Remove this grouping' }).toReversed())
    await user.click(remove);
  expect(chosen()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show it as the view has it' }));
  expect(chosen()).toEqual(['cl_city']);
  expect(requests.filter(({ method = 'GET' }) => method !== 'GET')).toEqual([]);
});
