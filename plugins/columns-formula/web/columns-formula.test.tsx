import { afterEach, describe, expect, test } from '@jest/globals';
import {
  defineFormulaFunction,
  type ColumnEntity,
  type FormulaFunctionDefinition,
  type Row,
} from '@trellis/sdk/shared';
import type { OptionsPanelProps, WebColumnType } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, numberType, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { formula, formulaFunctions, type FormulaOptions } from '../shared/index.ts';
import { callAt, completionsAt } from './completion.ts';
import { piecesOf } from './highlight.ts';
import FormulaOptionsPanel from './FormulaOptionsPanel.tsx';
import plugin from './index.tsx';
import { linkOf } from './links.ts';

const types: WebColumnType[] = [];
const register = (_registry: string, type: WebColumnType) => types.push(type);
void plugin.setup({
  messages: () => undefined,
  register,
  registries: { define: () => undefined },
} as never);
const defaults = formula.options?.defaults as FormulaOptions;

afterEach(cleanup);

const columns = [
  aColumn('cl_1', 'Title', { uidt: 'SingleLineText', storage: 'text' }),
  aColumn('cl_2', 'Price', { uidt: 'Decimal', storage: 'decimal' }),
  aColumn('cl_3', 'Pri}ce', { uidt: 'Decimal', storage: 'decimal' }),
  aColumn('cl_4', 'Cost', {
    uidt: 'Currency',
    storage: 'decimal',
    meta: { currency_code: 'EUR', currency_locale: 'de-DE' },
  }),
];

interface Given {
  readonly columns?: readonly ColumnEntity[];
  readonly columnTypes?: readonly WebColumnType[];
  /** The first rows of the table. */
  readonly rows?: readonly Row[];
  /** What the server says that the formula gives in them; it does not answer without. */
  readonly computed?: readonly unknown[];
}

function Panel({
  onSave,
  of = columns,
  hasRows,
}: {
  readonly onSave: (options: FormulaOptions) => void;
  readonly of?: readonly ColumnEntity[] | undefined;
  readonly hasRows: boolean;
}) {
  const [options, setOptions] = useState(defaults);
  const props: OptionsPanelProps<FormulaOptions> = {
    options,
    columns: of,
    ...(hasRows && { project: aProject(), table: aTable(of) }),
    onChange(next) {
      setOptions(next);
      onSave(next);
    },
  };
  return <FormulaOptionsPanel {...props} />;
}

function open(
  added: readonly FormulaFunctionDefinition[] = [],
  { columns: of, columnTypes = [], rows, computed }: Given = {},
) {
  const saved: FormulaOptions[] = [];
  renderWithHost(<Panel of={of} hasRows={rows !== undefined} onSave={(options) => saved.push(options)} />, {
    registries: { formulaFunctions: added, columnTypes },
    api({ path }) {
      if (!path.endsWith('/formula-preview')) return { list: rows };
      return computed === undefined ? new Promise(() => undefined) : { list: computed };
    },
  });
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Formula' });
  const type = (value: string, caret = value.length) => {
    area.setSelectionRange(caret, caret);
    fireEvent.change(area, { target: { value, selectionStart: caret, selectionEnd: caret } });
  };
  return { area, type, last: () => saved.at(-1) };
}

describe('the editor of a formula', () => {
  test('says of columns whose numbers are not what cells show what these are', async () => {
    const share = aColumn('cl_9', 'Share', { uidt: 'Share', storage: 'float' });
    const { area, type } = open([], {
      columns: [...columns, share],
      columnTypes: [{ ...numberType, id: 'Share', inFormulas: '60 for 60 %.' }],
    });
    type('{Sha');
    expect((await screen.findByRole('option')).textContent).toBe('Share60 for 60 %.');
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(screen.getByText('“Share” is 60 for 60 %.')).toBeTruthy();
    type('{Price} * 2');
    expect(screen.queryByText('“Share” is 60 for 60 %.')).toBeNull();
  });

  test('says which functions take a column whose cells hold several values, and works out what they make of it', async () => {
    const prices = aColumn('cl_9', 'Prices', {
      uidt: 'Lookup',
      virtual: true,
      asked: { uidt: 'Decimal', storage: 'decimal', meta: {}, several: true },
    });
    const rows = [
      { Title: 'Ada', Prices: ['1.5', null, '2'] },
      { Title: 'Bob', Prices: [] },
      { Title: 'Cyd', Prices: Array.from({ length: 25 }, () => 1) },
    ];
    const { type, last } = open([], {
      columns: [...columns, prices],
      columnTypes: [{ ...numberType, id: 'Lookup' }],
      rows,
    });
    type('{Pric');
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toContain(
      'Pricesa list of values.',
    );
    type('{Prices} * 2');
    expect(screen.getByRole('status').textContent).toBe(
      "A cell of 'Prices' may hold several values: put it into one of SUM, AVG, MIN, MAX, COUNT, COUNTA, JOIN, which take them",
    );
    type('SUM({Prices}, 1)', 8);
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Formula' }), { key: 'Escape' });
    type('SUM({Prices}, 1)', 8);
    expect(screen.getByText(/Takes lists of values, too/)).toBeTruthy();
    expect(last()).toMatchObject({ formula: 'SUM({Prices}, 1)', result: 'number' });
    expect(await screen.findByRole('row', { name: 'Ada 4.5' })).toBeTruthy();
    expect(screen.getByRole('row', { name: 'Bob 1' })).toBeTruthy();
    // A cell shows the first ones alone.
    expect(screen.getByRole('row', { name: /^Cyd of more values/ })).toBeTruthy();
  });

  test('offers functions and columns while a word is typed, and writes the one that is chosen by the keyboard', () => {
    const { area, type } = open();
    type('ROU');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'ROUND(number, [digits])',
      'ROUNDUP(number, [digits])',
      'ROUNDDOWN(number, [digits])',
    ]);
    fireEvent.keyDown(area, { key: 'ArrowDown' });
    fireEvent.keyDown(area, { key: 'ArrowUp' });
    fireEvent.keyDown(area, { key: 'Enter' });
    expect([area.value, area.selectionStart]).toEqual(['ROUND()', 6]);
    type('ROUND({pri)', 10);
    fireEvent.keyDown(area, { key: 'Tab' });
    expect(area.value).toBe('ROUND({Price})');
    type('{tit');
    fireEvent.keyDown(area, { key: 'Escape' });
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('offers, explains and works out functions that another plugin brings', () => {
    const slug = defineFormulaFunction({
      id: 'SLUG',
      group: 'Texts',
      parameters: [{ name: 'text', takes: 'text' }],
      result: 'text',
      summary: 'A text as it stands in an address.',
      example: 'SLUG("Ada Lovelace")',
      build: ([value]) => value as never,
      run: ([value]) => (value as string).toLowerCase().replaceAll(' ', '-'),
    });
    const { area, type, last } = open([slug]);
    type('SLU');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['SLUG(text)']);
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('SLUG()');
    type('SLUG({Title}', 8);
    fireEvent.keyDown(area, { key: 'Escape' });
    type('SLUG({Title})', 8);
    expect(screen.getByText('A text as it stands in an address.', { exact: false })).toBeTruthy();
    expect(last()).toMatchObject({ formula: 'SLUG({Title})', result: 'text' });
    fireEvent.click(screen.getByRole('button', { name: 'All functions' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Find a function' }), {
      target: { value: 'slug' },
    });
    expect(screen.getByText(/SLUG\("Ada Lovelace"\)/)).toBeTruthy();
  });

  test('shows what the server makes of the formula, with all of its digits, once it says so', async () => {
    const rows = [{ Title: 'Ada', Price: '9007199254740993' }];
    const { type } = open([], { rows, computed: ['9007199254740995'] });
    type('{Price} + 2');
    expect(await screen.findByRole('row', { name: 'Ada 9007199254740994' })).toBeTruthy();
    expect(await screen.findByRole('row', { name: 'Ada 9007199254740995' })).toBeTruthy();
  });

  test('says what is wrong as it is typed, and what the value will be once nothing is', () => {
    const { type, last } = open();
    type('{Price} * 2 &');
    expect(screen.getByRole('status').textContent).toBe('The formula ends where a value is expected');
    type('ROUND({Title})');
    expect(screen.getByRole('status').textContent).toBe(
      'Argument 1 of ROUND, "number", takes: number. This is: text',
    );
    type('ROUND({Price}, 1)');
    expect(screen.queryByRole('status')).toBeNull();
    expect(last()).toMatchObject({ formula: 'ROUND({Price}, 1)', result: 'number' });
    fireEvent.change(screen.getByLabelText('Numbers as'), { target: { value: 'currency' } });
    expect(last()).toMatchObject({ number_format: 'currency' });
  });

  test('writes what is worked out from money as money, until somebody chooses otherwise', () => {
    const { type, last } = open();
    type('ROUND({Cost} * {Price}, 1) + 5');
    const euros = { number_format: 'currency', currency_code: 'EUR', currency_locale: 'de-DE', decimals: 2 };
    expect(last()).toMatchObject(euros);
    type('{Cost} / {Cost}');
    expect(last()).toMatchObject({ number_format: 'plain' });
    type('IF({Price} > 1, {Cost}, 0)');
    expect(last()).toMatchObject(euros);
    fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'JPY' } });
    fireEvent.change(screen.getByLabelText('Written as'), { target: { value: 'ja-JP' } });
    type('{Price} * 2');
    expect(last()).toMatchObject({
      number_format: 'currency',
      currency_code: 'JPY',
      currency_locale: 'ja-JP',
      decimals: 0,
    });
  });

  test('explains the function around the caret, and lists all of them', () => {
    const { area, type } = open();
    type('DATEADD(TODAY(), 1, ');
    expect(screen.getByRole('status')).toBeTruthy();
    type('LEFT({Title}, 2)', 15);
    expect(document.querySelector('.tr-note b')?.textContent).toBe('count');
    fireEvent.click(screen.getByText('All functions'));
    fireEvent.change(screen.getByRole('combobox', { name: 'Find a function' }), {
      target: { value: 'logarithm' },
    });
    fireEvent.click(screen.getByText('LN(number)'));
    expect(area.value).toContain('LN()');
  });
});

test('Completion knows braces, quotes and the call around the caret', () => {
  const insertsAt = (text: string) =>
    completionsAt(text, text.length, { titles: ['Title', 'Pri}ce'], functions: formulaFunctions }).map(
      ({ insert }) => insert,
    );
  expect(insertsAt('"IF')).toEqual([]);
  expect(insertsAt('{pri')).toEqual(['{Pri\\}ce}']);
  expect(insertsAt('{')).toEqual(['{Title}', '{Pri\\}ce}']);
  expect(completionsAt('{ti}', 3, { titles: ['Title'], functions: formulaFunctions })).toMatchObject([
    { from: 0, to: 4, insert: '{Title}' },
  ]);
  expect(completionsAt('conc(1)', 4, { titles: [], functions: formulaFunctions })).toMatchObject([
    { insert: 'CONCAT', caret: 7 },
  ]);
  expect(insertsAt('substi')).toEqual(['REPLACE()']);
  expect(insertsAt('is_')).toEqual(['ISBLANK()']);
  expect(callAt('IF(AND(1, "(,"), 2, ', 20, formulaFunctions)).toEqual({ name: 'IF', index: 2 });
  expect(callAt('IF(AND(1, ', 10, formulaFunctions)).toEqual({ name: 'AND', index: 1 });
});

test('A formula is drawn in pieces that are all of its text, also one that is half written', () => {
  for (const text of ['IF({a} = 1, "x")', 'IF({a', '"open', 'a ~ b', ''])
    expect(
      piecesOf(text, undefined)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  const problem = { message: '', values: {}, start: 1, end: 3 };
  expect(piecesOf('{ab}+1', problem).filter(({ isWrong }) => isWrong)).toEqual([
    { text: 'ab', kind: 'column', isWrong: true },
  ]);
});

describe('a cell', () => {
  const Cell = () => types[0]?.Cell;
  const draw = (value: unknown, options: Partial<FormulaOptions> = {}, colOptions: object = {}) => {
    const column = {
      ...aColumn('cl_1', 'F', { uidt: 'Formula', storage: 'virtual' }),
      meta: { ...options },
      colOptions,
    };
    const Drawn = Cell();
    if (Drawn === undefined) throw new Error('The type has no cell.');
    const { container } = renderWithHost(
      <Drawn
        value={value as never}
        row={undefined}
        column={column}
        options={{ ...defaults, ...options }}
        selected={false}
      />,
    );
    return container;
  };

  test.each([
    [1234.5, { number_format: 'decimal' }, '1,234.50'],
    ['1234.567', { result: 'number', number_format: 'currency', decimals: 0 }, '$1,235'],
    [12.5, { number_format: 'percent', decimals: 1 }, '12.5%'],
    ['2024-02-29', { result: 'date', date_format: 'DD.MM.YYYY' }, '29.02.2024'],
    ['2024-02-29 10:15:00', { result: 'datetime', date_format: 'DD.MM.YYYY' }, '29.02.2024 10:15'],
    ['<b>x</b>', {}, '<b>x</b>'],
    ['URI::(file:///etc/passwd)', {}, 'file:///etc/passwd'],
  ] as const)('shows %s in the format of its column', (value, options, text) => {
    const cell = draw(value, options);
    expect(cell.textContent).toBe(text);
    expect(cell.querySelector('a')).toBeNull();
  });

  test('leads to the address of a link, and to no script', () => {
    expect(draw('URI::(https://example.com/a)').querySelector('a')?.getAttribute('href')).toBe(
      'https://example.com/a',
    );
    expect(linkOf(['javascript', 'alert(1)'].join(':'))).toBeUndefined();
    expect(linkOf(' data:text/html,x')).toBeUndefined();
  });

  test('says when its formula is broken', () => {
    expect(draw(undefined, {}, { error: "Column 'X' was deleted" }).textContent).toContain('Broken formula');
  });
});
