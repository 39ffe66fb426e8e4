import { afterEach, expect, test } from '@jest/globals';
import { aColumn, renderWithHost, textType } from '../../testing/web.tsx';
import { cleanup, screen } from '@testing-library/react';
import type { CoverProps } from '../extensions/index.ts';
import type { RowData } from '../rows/index.ts';
import { cardHeight, type CardFields, type CardLook } from './card-fields.ts';
import { RowCard } from './RowCard.tsx';

afterEach(cleanup);

const columns = ['Name', 'Town', 'Team', 'Tags'].map((title) => aColumn(`cl_${title}`, title));
const [naming, ...others] = columns.map((column) => ({ column, type: textType }));
const card: CardFields = { naming, fields: others, cover: undefined };
const look: CardLook = { coverFit: 'cover', coverHeight: 0, showsNames: true };

function fieldsOn(row: RowData | undefined): readonly (string | null)[] {
  renderWithHost(<RowCard {...{ row, card, look }} tableColumns={columns} />, {
    registries: { columnTypes: [textType] },
  });
  return [...screen.getByRole('article').querySelectorAll('.tr-card-label')].map((of) => of.textContent);
}

test('a card leaves out the fields that its row has no value for, and is as high as those that are left', () => {
  const values = { cl_Name: 'Ann', cl_Town: '', cl_Team: 'Blue', cl_Tags: [] };
  const row = { key: '1', values } as unknown as RowData;
  expect(fieldsOn(row)).toEqual(['Team']);
  expect(cardHeight(card, look, row)).toBe(20 + 24 + 44);
  expect(cardHeight(card, look)).toBe(20 + 24 + 3 * 44);
});

test('a value is no lack of one: zero and no stand on the card', () => {
  const values = { cl_Name: 'Ann', cl_Town: 0, cl_Team: false, cl_Tags: null };
  expect(fieldsOn({ key: '1', values } as unknown as RowData)).toEqual(['Town', 'Team']);
});

test('a row on its way keeps the places of all its fields', () => {
  expect(fieldsOn(undefined)).toEqual(['Town', 'Team', 'Tags']);
  expect(screen.queryByText('Untitled row')).toBeNull();
});

test('a covered name is drawn by its own cell, and called by its key', () => {
  const type = { ...textType, isCovered: true, Cell: () => <>••••</> };
  const row = { key: '7', values: { cl_Name: 'hush' } } as unknown as RowData;
  renderWithHost(
    <RowCard
      {...{ row, look }}
      card={{ ...card, naming: naming && { ...naming, type } }}
      tableColumns={columns}
    />,
    { registries: { columnTypes: [type] } },
  );
  const drawn = screen.getByRole('article', { name: 'Row 7' });
  expect(drawn.textContent).toBe('••••');
  expect(drawn.outerHTML).not.toContain('hush');
});

test.each(['cover', 'contain'] as const)('the picture of a card is fitted as its view says: %s', (fit) => {
  const photo = {
    column: aColumn('cl_Photo', 'Photo'),
    type: { ...textType, Cover: ({ fit: asked }: CoverProps) => <img alt={`fitted to ${asked}`} /> },
  };
  const row = { key: '1', values: { cl_Name: 'Ann', cl_Photo: 'a.png' } } as unknown as RowData;
  const shown = { ...look, coverFit: fit, coverHeight: 110 };
  renderWithHost(
    <RowCard {...{ row, look: shown }} card={{ ...card, cover: photo }} tableColumns={columns} />,
    { registries: { columnTypes: [textType] } },
  );
  const picture = screen.getByAltText(`fitted to ${fit}`);
  const cover = picture.closest<HTMLElement>('.tr-card-cover');
  expect(cover?.dataset['fit']).toBe(fit);
  expect(cover?.style.height).toBe('110px');
});

test('a card without a picture keeps the place of the cover, with a sign that says so', () => {
  const photo = {
    column: aColumn('cl_Photo', 'Photo'),
    type: { ...textType, Cover: ({ value }: CoverProps) => <img alt={value as string} /> },
  };
  const draw = (value: string | null) => {
    const row = { key: '1', values: { cl_Name: 'Ann', cl_Photo: value } } as unknown as RowData;
    renderWithHost(<RowCard {...{ row, look }} card={{ ...card, cover: photo }} tableColumns={columns} />, {
      registries: { columnTypes: [textType] },
    });
    return screen.getByRole('article').querySelector('.tr-card-cover')?.firstElementChild?.className;
  };
  expect(draw(null)).toBe('pi pi-image tr-card-cover-none');
  cleanup();
  expect(draw('a.png')).not.toMatch('tr-card-cover-none');
  expect(screen.getByAltText('a.png')).toBeTruthy();
});
