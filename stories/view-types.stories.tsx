import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ApiRequest, ViewProps } from '@trellis/sdk/web';
import type { Row } from '@trellis/sdk/shared';
import { Suspense } from 'react';
import type { FakeApi } from '../sdk/testing/fake-api.ts';
import { aColumn, aProject, aTable } from '../sdk/testing/table-fixtures.ts';
import { answersOfView, aView } from '../sdk/testing/view-fixtures.ts';
import { registeredItems } from './memory-plugins.ts';

const registries = registeredItems();
const types = registries.viewTypes ?? [];

/** Days around today, where calendars and timelines begin. */
const day = (by: number): string => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10);

const states = ['To do', 'Doing', 'Done'];
const table = aTable(
  [
    aColumn('cl_id', 'Id', { uidt: 'ID', storage: 'integer', pk: true, system: true }),
    aColumn('cl_name', 'Name', { uidt: 'SingleLineText', pv: true, order: 2 }),
    aColumn('cl_state', 'State', {
      uidt: 'SingleSelect',
      order: 3,
      meta: { options: states.map((title, at) => ({ id: `so_${at}`, title, color: '#cfdffe', order: at })) },
    }),
    aColumn('cl_from', 'From', { uidt: 'Date', storage: 'date', order: 4 }),
    aColumn('cl_to', 'To', { uidt: 'Date', storage: 'date', order: 5 }),
  ],
  { title: 'Tasks' },
);
const rows: readonly Row[] = ['Paint the wall', 'Mend the roof', 'Sweep the yard'].map((Name, at) => ({
  Id: at + 1,
  Name,
  State: states[at] ?? null,
  From: day(at - 1),
  To: day(at + 1),
}));

/** By what views are drawn whose options name columns; each type takes of it what it knows. */
const options = {
  stackedBy: 'cl_state',
  ranges: [{ fromId: 'cl_from', toId: 'cl_to' }],
  fromId: 'cl_from',
  toId: 'cl_to',
};

const ofView = answersOfView(table, rows) as Extract<FakeApi, (...args: never) => unknown>;

/** The routes of views and rows, of which groups and figures are by the state. */
function answer(request: ApiRequest & { readonly method: string }): unknown {
  const { path, query } = request;
  if (path.endsWith(`/tables/${table.id}`)) return table;
  if (!path.includes('/data/')) return ofView(request);
  const stateOf = ({ State }: Row) => State ?? null;
  if (path.endsWith('/groups'))
    return { levels: [states.map((state) => ({ values: [state], count: 1, figures: [] }))] };
  if (path.endsWith('/aggregate')) return { list: [] };
  if (path.endsWith('/count')) return ofView(request);
  const rules = JSON.parse((query?.['filterArrJson'] as string | undefined) ?? '[]') as readonly Rule[];
  const ofStack = rules.find(({ fk_column_id: id }) => id === 'cl_state');
  const isMeant = (row: Row) =>
    ofStack === undefined || stateOf(row) === (ofStack.comparison_op === 'null' ? null : ofStack.value);
  return { list: rows.filter(isMeant), pageInfo: { totalRows: rows.length, isLastPage: true } };
}

interface Rule {
  readonly fk_column_id?: string;
  readonly comparison_op?: string;
  readonly value?: string;
}

/** Every view type that a plugin of ours registers, over the same rows. */
const meta: Meta<typeof ViewStory> = {
  title: 'Gallery/View types',
  component: ViewStory,
  argTypes: {
    typeId: { control: 'select', options: types.map(({ id }) => id) },
    readOnly: { control: 'boolean' },
  },
  args: { typeId: 'gallery', readOnly: false },
  parameters: { host: { registries, api: answer, project: aProject() } },
};
export default meta;

export const One: StoryObj<typeof ViewStory> = {};

export const All: StoryObj<typeof ViewStory> = {
  render: () => (
    <>
      {types.map(({ id }) => (
        <ViewStory key={id} typeId={id} readOnly={false} />
      ))}
    </>
  ),
};

/** How visitors and viewers see each of them. */
export const ReadOnly: StoryObj<typeof ViewStory> = {
  render: () => (
    <>
      {types.map(({ id }) => (
        <ViewStory key={id} typeId={id} readOnly />
      ))}
    </>
  ),
};

function ViewStory({ typeId, readOnly }: { readonly typeId: string } & Pick<ViewProps, 'readOnly'>) {
  const type = types.find(({ id }) => id === typeId);
  if (type === undefined) return null;
  const view = aView({ id: `vw_${typeId}`, title: type.label, view_type: typeId, meta: options });
  const project = aProject({ role: readOnly ? 'viewer' : 'owner' });
  return (
    <section style={{ paddingBlockEnd: 32 }}>
      <h2>
        <i className={`pi pi-${type.icon}`} aria-hidden="true" /> {type.label}
      </h2>
      <div style={{ display: 'grid', height: 460, border: '1px solid var(--trellis-border)' }}>
        <Suspense>
          <type.View {...{ project, table, view, readOnly }} />
        </Suspense>
      </div>
    </section>
  );
}
