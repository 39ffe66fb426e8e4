import type { Meta, StoryObj } from '@storybook/react-vite';
import { useRef, useState } from 'react';
import { aColumn, aProject, aTable, textType } from '../../testing/table-fixtures.ts';
import { aView } from '../../testing/view-fixtures.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { MemoryRows, type RowData, type RowsClient } from '../rows/index.ts';
import type { CardFields, CardLook } from './card-fields.ts';
import type { DatedColumn } from './day-spans.ts';
import {
  AddCard,
  CardMenu,
  CardOptions,
  cardsPerLine,
  CardTick,
  CardTiles,
  NearestEntry,
  NoRows,
  RowCard,
  SelectionBar,
  UndatedRows,
  useCardSelection,
  useLongList,
  type CardRows,
} from './index.ts';

const photo: WebColumnType = { ...textType, id: 'Photo', Cover: () => <span>🦒</span> };
const columns = [
  aColumn('cl_name', 'Name', { pv: true }),
  aColumn('cl_town', 'Town'),
  aColumn('cl_photo', 'Photo', { uidt: 'Photo' }),
];
const [naming, town, cover] = columns.map((column) => ({
  column,
  type: column.uidt === 'Photo' ? photo : textType,
}));
const card = { naming, fields: town ? [town] : [], cover } as CardFields;
const look: CardLook = { coverFit: 'cover', coverHeight: 120, showsNames: true };
const rowOf = (Name: string, at: number): RowData => ({
  key: String(at + 1),
  values: { cl_name: Name, cl_town: 'Oslo', cl_photo: 'giraffe.png' },
});
const rows = ['Ada', 'Grace', 'Ken', 'Margaret', 'Edsger'].map(rowOf);
const nothing = () => undefined;
const project = aProject();
const table = aTable(columns);
const view = aView();

/** Rows as cards, and the actions on them. */
const meta: Meta = {
  title: 'SDK/Cards',
  parameters: { host: { project, registries: { columnTypes: [textType, photo] } } },
};
export default meta;

/** A loaded card, and a loading one. */
export const Cards: StoryObj = {
  render: () => (
    <div style={{ display: 'grid', gap: 12, maxWidth: 260 }}>
      <RowCard
        row={rows[0]}
        {...{ card, look }}
        tableColumns={columns}
        corner={<CardTick index={0} isSelected onToggle={nothing} />}
      />
      <RowCard row={undefined} {...{ card, look }} tableColumns={columns} />
    </div>
  ),
};

const height = 40;
const gap = 12;

function TilesStory() {
  const [source] = useState(() => new MemoryRows(rows));
  const list = useLongList({
    count: rows.length,
    lineHeight: height + gap,
    perLine: (width) => cardsPerLine(width, { width: 160, gap }),
  });
  return (
    <div style={{ display: 'grid', height: 200 }}>
      <CardTiles
        {...{ source, list, height, gap }}
        label="People"
        card={(row) => (
          <RowCard
            row={row}
            card={{ ...card, fields: [], cover: undefined }}
            look={{ ...look, coverHeight: 0 }}
            tableColumns={columns}
          />
        )}
      />
    </div>
  );
}

export const Tiles: StoryObj = { render: () => <TilesStory /> };

function SelectionStory() {
  const selection = useCardSelection();
  return (
    <>
      <SelectionBar {...{ selection }} commands={{ delete: async () => true }} />
      {rows.map((row, index) => (
        <CardTick
          key={row.key}
          index={index}
          isSelected={selection.rows.has(row.key)}
          onToggle={() => selection.toggle(row)}
        />
      ))}
    </>
  );
}

export const Selecting: StoryObj = { render: () => <SelectionStory /> };

function AddStory() {
  const [isOpen, setOpen] = useState(true);
  return (
    <AddCard
      label="New row in Done"
      text="New row"
      isOpen={isOpen}
      onOpen={setOpen}
      onAdd={async (name) => name !== ''}
    />
  );
}

/** A name is entered with Enter; an empty one is refused. */
export const Adding: StoryObj = { render: () => <AddStory /> };

export const MenuOfACard: StoryObj = {
  render: () => (
    <CardMenu
      {...{ project, table, view }}
      readOnly={false}
      menu={{ row: rowOf('Ada', 0), x: 40, y: 40 }}
      meant={['1']}
      commands={{
        open: nothing,
        duplicate: async () => undefined,
        delete: async () => true,
        add: undefined,
        draft: undefined,
      }}
      onClose={nothing}
    />
  ),
};

function LookStory() {
  const [options, setOptions] = useState<Omit<CardLook, 'coverHeight'> & { readonly coverId: string }>({
    coverId: 'cl_photo',
    coverFit: 'cover',
    showsNames: true,
  });
  return (
    <CardOptions {...{ columns, options }} onChange={(changed) => setOptions({ ...options, ...changed })} />
  );
}

export const Look: StoryObj = { render: () => <LookStory /> };

function NoneStory() {
  const home = useRef<HTMLDivElement>(null);
  return (
    <div ref={home} tabIndex={-1}>
      <NoRows {...{ project, view, home }} of={{ isFiltered: true, found: [] }} />
    </div>
  );
}

export const None: StoryObj = { render: () => <NoneStory /> };

const from: DatedColumn = {
  id: 'cl_day',
  unit: 'day',
  isWritten: true,
  show: (value) => (typeof value === 'string' ? value : undefined),
  read: (shown) => shown,
};

function UndatedStory() {
  const [of] = useState(() => ({ rows: { source: new MemoryRows(rows) }, columns }) as unknown as CardRows);
  return (
    <UndatedRows of={of} range={{ from }} put={{ day: '2026-03-29', onPut: nothing }} onClose={nothing}>
      {(_row, name) => <span className="tr-undated-row">{name}</span>}
    </UndatedRows>
  );
}

/** Rows without a date, beside a calendar or a timeline. */
export const Undated: StoryObj = { render: () => <UndatedStory /> };

const noEntries = { first: async () => undefined } as unknown as RowsClient;

/** The links out of days without rows. */
export const Nearest: StoryObj = {
  render: () => (
    <NearestEntry
      rows={noEntries}
      range={{ from }}
      days={{ start: '2026-03-01', end: '2026-04-01' }}
      rules={[]}
      onGo={nothing}
    />
  ),
};
