import type { Lists, TableFixture } from './tables.ts';

/** A test's tables by name. */
export type Tables = Readonly<Record<string, TableFixture>>;

export const library: Tables = {
  author: {
    columns: {
      id: 'integer',
      name: 'string',
      notes: 'text',
      whole: 'integer',
      price: 'decimal',
      ratio: 'float',
      alive: 'boolean',
      born: 'date',
    },
    rows: [
      [1, 'Äpfel', 'ende ', 0, '1.50', 0.5, true, '2000-01-01'],
      [2, 'apfel', '', 7, '-0.000001', -2.25, false, '1999-12-31'],
      [3, 'APFEL', null, -7, '1000000.123456', 1024, null, '2024-02-29'],
      [4, null, '100% _!', 2147483647, '0', 0, true, null],
      [5, '東京', 'Москва', null, null, null, false, '1970-01-01'],
      [6, 'ende', 'ENDE', -2147483648, '1.5', -0.125, null, '2023-03-31'],
      [7, '', '0', 1, '99999.99', 1048576, true, '1900-02-28'],
    ],
  },
  book: {
    columns: {
      id: 'integer',
      author: 'integer',
      title: 'string',
      whole: 'integer',
      price: 'decimal',
      out: 'date',
    },
    rows: [
      [11, 1, 'b', 3, '9.90', '2001-05-31'],
      [12, 1, 'B', null, '0.10', null],
      [13, 1, 'a', -3, null, '1999-01-31'],
      [14, 2, null, 5, '5', '2024-02-29'],
      [15, null, 'ohne', 8, '8.88', '2020-01-01'],
      [16, 6, 'Ä', 0, '0.00', '2000-02-29'],
    ],
  },
  tag: {
    columns: { id: 'integer', label: 'string', whole: 'integer' },
    rows: [
      [21, 'rot', 1],
      [22, 'Rot', 2],
      [23, null, null],
    ],
  },
  book_tag: {
    columns: { id: 'integer', book: 'integer', tag: 'integer' },
    rows: [
      [31, 11, 21],
      [32, 11, 22],
      [33, 14, 23],
      [34, 16, 21],
      [35, 15, 22],
    ],
  },
};

/** Columns whose cells contain values of several linked rows, by id: through one link, and through two. */
export const lists: Lists = {
  'author.titles': { linkId: 'books', columnId: 'book.title' },
  'author.prices': { linkId: 'books', columnId: 'book.price' },
  'author.wholes': { linkId: 'books', columnId: 'book.wholes' },
  'author.labels': { linkId: 'books', columnId: 'book.labels' },
  'book.labels': { linkId: 'tags', columnId: 'tag.label' },
  'book.wholes': { linkId: 'tags', columnId: 'tag.whole' },
  'book.births': { linkId: 'author', columnId: 'author.born' },
};

const plain = { through: undefined } as const;

/** One foreign key from both sides, and the path through the junction table from both sides. */
export const links = [
  {
    id: 'books',
    kind: 'hasMany',
    tableId: 'author',
    columnIds: ['author.id'],
    toTableId: 'book',
    toColumnIds: ['book.author'],
    ...plain,
  },
  {
    id: 'author',
    kind: 'belongsTo',
    tableId: 'book',
    columnIds: ['book.author'],
    toTableId: 'author',
    toColumnIds: ['author.id'],
    ...plain,
  },
  {
    id: 'tags',
    kind: 'manyToMany',
    tableId: 'book',
    columnIds: ['book.id'],
    toTableId: 'tag',
    toColumnIds: ['tag.id'],
    through: { tableId: 'book_tag', columnIds: ['book_tag.book'], toColumnIds: ['book_tag.tag'] },
  },
] as const;
