import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { aColumn, aProject, aTable } from '../../testing/table-fixtures.ts';
import type { ApiRequest } from '../api.ts';
import { DaysBar, RowPicker } from './index.ts';

const table = aTable([
  aColumn('cl_id', 'Id', { pk: true, system: true }),
  aColumn('cl_name', 'Name', { pv: true }),
]);
const people = ['Ada', 'Alan', 'Barbara', 'Edsger', 'Grace', 'Ken', 'Margaret'];

/** Answers like the routes of rows. */
function answer({ query }: ApiRequest) {
  const [filter] = JSON.parse((query?.['filterArrJson'] as string | undefined) ?? '[]') as {
    readonly value: string;
  }[];
  const wanted = (filter?.value ?? '').toLowerCase();
  const list = people
    .map((Name, at) => ({ Id: String(at + 1), Name }))
    .filter(({ Name }) => Name.toLowerCase().includes(wanted));
  return { list: list.slice(0, Number(query?.['limit'])), pageInfo: { totalRows: list.length } };
}

/** Parts of all kinds of views. */
const meta: Meta = { title: 'SDK/Views', parameters: { host: { api: answer } } };
export default meta;

function PickerStory({ isFull }: { readonly isFull: boolean }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <div style={{ maxWidth: 420 }}>
      <p>{chosen.join(', ') || 'Nobody is chosen'}</p>
      <RowPicker
        project={aProject()}
        table={table}
        taken={new Set(chosen)}
        isFull={isFull}
        onChoose={(_row, key) => setChosen([...chosen, key ?? ''])}
      />
    </div>
  );
}

export const PickRows: StoryObj = { render: () => <PickerStory isFull={false} /> };
export const PickNoMore: StoryObj = { render: () => <PickerStory isFull /> };

const kinds = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const;

function DaysStory() {
  const [kind, setKind] = useState<'month' | 'week'>('month');
  const [by, setBy] = useState(0);
  const [isShown, setShown] = useState(false);
  return (
    <DaysBar
      title={`March ${2026 + by}`}
      kind={kind}
      kinds={kinds}
      undated={{ count: 3, isShown, toggle: () => setShown(!isShown) }}
      onKind={(next) => setKind(next)}
      onMove={(to) => setBy(to === 'today' ? 0 : by + (to === 'on' ? 1 : -1))}
      onNew={() => undefined}
    />
  );
}

export const Days: StoryObj = { render: () => <DaysStory /> };
