import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDecimal, readNumbersTogether } from '../../shared/index.ts';
import { makeRows, testColumns } from '../../testing/grid-fixtures.ts';
import { englishTexts } from './grid-texts.ts';
import { coveredRange, planPaste } from './paste-plan.ts';

const rows = makeRows(5);
const target = {
  columns: testColumns,
  rowCount: 5,
  rowAt: (index: number) => rows.rowAt(index),
  mayAppend: true,
  t: englishTexts,
};
const at = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right });

describe('pasting', () => {
  test('a block goes where the selection begins', () => {
    const plan = planPaste(
      [
        ['a', '1'],
        ['b', '2'],
      ],
      at(1, 0),
      target,
    );
    expect(plan.changes.map(({ rowKey, columnId, value }) => [rowKey, columnId, value])).toEqual([
      ['k1', 'name', 'a'],
      ['k1', 'age', 1],
      ['k2', 'name', 'b'],
      ['k2', 'age', 2],
    ]);
    expect(plan.covered).toEqual(at(1, 0, 2, 1));
  });

  test('a change says what stood there before', () => {
    expect(planPaste([['7']], at(2, 1), target).changes).toEqual([
      { rowKey: 'k2', index: 2, columnId: 'age', value: 7, before: 2, text: '7' },
    ]);
  });

  test.each([
    [
      ['0,5', '1,125', '1.125'],
      [0.5, 1.125, 1125],
    ],
    [
      ['0.5', '1,125', '1.125'],
      [0.5, 1125, 1.125],
    ],
    [
      ['0,5', '1,125', '1.5'],
      [0.5, 1125, 1.5],
    ],
    [
      ['3.400,50', '-2,250', ''],
      [3400.5, -2.25, null],
    ],
    [
      ['0,5', '1,234,567', '1,125'],
      [0.5, 1234567, 1125],
    ],
    [
      ['1,125', '2,250'],
      [1125, 2250],
    ],
  ])('numbers of one column are read alike: %j', (texts, values) => {
    const [, age] = testColumns;
    if (age?.type === undefined) throw new Error('The second column has a type.');
    const type = { ...age.type, parse: parseDecimal, readTogether: readNumbersTogether };
    const columns = testColumns.map((column) => (column === age ? { ...age, type } : column));
    const plan = planPaste(
      texts.map((text) => [text]),
      at(0, 1),
      { ...target, columns },
    );
    expect(plan.changes.map(({ value }) => value)).toEqual(values);
  });

  test('a single cell fills the whole selection', () => {
    expect(planPaste([['x']], at(0, 0, 3, 0), target).changes.map((change) => change.value)).toEqual([
      'x',
      'x',
      'x',
      'x',
    ]);
  });

  test('a block repeats in a selection that holds it a whole number of times, and only then', () => {
    expect(coveredRange([['a'], ['b']], at(0, 0, 3, 1))).toEqual(at(0, 0, 3, 1));
    expect(coveredRange([['a'], ['b']], at(0, 0, 2, 0))).toEqual(at(0, 0, 1, 0));
  });

  test('rows beyond the last one are added', () => {
    const plan = planPaste([['a'], ['b'], ['c']], at(4, 0), target);
    expect(plan.changes).toHaveLength(1);
    expect(plan.appended).toEqual([{ name: 'b' }, { name: 'c' }]);
  });

  test('where rows cannot be added, those that are left out are counted', () => {
    const plan = planPaste([['a'], ['b'], ['c']], at(4, 0), { ...target, mayAppend: false });
    expect(plan.appended).toEqual([]);
    expect(plan.rowsCut).toBe(2);
  });

  test('columns beyond the last one are counted, read-only cells are kept', () => {
    const plan = planPaste([['true', 'new', 'x', 'y']], at(0, 2), target);
    expect(plan.changes.map((change) => change.columnId)).toEqual(['done']);
    expect(plan.readOnlyCells).toBe(1);
    expect(plan.columnsCut).toBe(2);
  });

  test('a text that a column cannot read is reported with its cell, also in a row to be added', () => {
    const plan = planPaste([['many'], ['few']], at(4, 1), target);
    expect(plan.rejected).toEqual([
      { rowKey: 'k4', index: 4, columnId: 'age', text: 'many', message: '“Age” must be a number.' },
      { rowKey: undefined, index: 5, columnId: 'age', text: 'few', message: '“Age” must be a number.' },
    ]);
    expect(plan.appended).toEqual([{}]);
  });

  describe('into cells whose type writes them by itself', () => {
    const [named] = testColumns;
    if (named?.type === undefined) throw new Error('The first column has a type.');
    const type = { ...named.type, writeCells: () => Promise.resolve([]), meaningOf: () => 'rows of cities' };
    const linked = { ...target, columns: [{ ...named, type, whyReadOnly: 'Press Enter.' }] };
    const from = { tableId: 'md_a', columnId: 'cl_a', rowKey: '9' };
    const copied = (meaning: string) => [[{ meaning, value: [{ Id: 1 }], from }]];

    test('takes texts, and the values of cells with the same meaning', () => {
      expect(planPaste([['a, b']], at(1, 0), linked).changes).toMatchObject([
        { rowKey: 'k1', value: 'a, b' },
      ]);
      const [same] = planPaste([['a']], at(1, 0), { ...linked, copied: copied('rows of cities') }).changes;
      expect(same).toMatchObject({ value: [{ Id: 1 }], from });
      const [other] = planPaste([['a']], at(1, 0), { ...linked, copied: copied('rows of rivers') }).changes;
      expect(other).toMatchObject({ value: 'a', from: undefined });
    });

    test('writes those of new rows once the rows are there', () => {
      const plan = planPaste([['a'], ['b'], ['']], at(4, 0), linked);
      expect(plan.appended).toEqual([{}, {}]);
      expect(plan.afterwards).toMatchObject([{ index: 5, columnId: 'name', value: 'b' }]);
    });
  });

  test('no pasted text is ever lost without being counted', () => {
    const block = fc.array(fc.array(fc.constantFrom('1', 'word', ''), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        block,
        fc.nat({ max: 4 }),
        fc.nat({ max: 3 }),
        fc.boolean(),
        (texts, top, left, mayAppend) => {
          const plan = planPaste(texts, at(top, left), { ...target, mayAppend });
          const added = plan.appended.reduce((sum, row) => sum + Object.keys(row).length, 0);
          const cut = plan.rowsCut * 3 + plan.columnsCut * (texts.length - plan.rowsCut);
          const told = plan.changes.length + added + plan.rejected.length + plan.readOnlyCells + cut;
          expect(told).toBe(texts.length * 3);
        },
      ),
    );
  });
});
