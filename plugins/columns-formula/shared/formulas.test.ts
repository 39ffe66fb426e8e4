import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compileFormula,
  exampleOf,
  factsOf,
  formulaFunctions,
  otherNames,
  FormulaError,
  parseFormula,
  printFormula,
  signatureOf,
  withIds,
  withTitles,
  type FormulaNode,
  type FormulaTable,
} from './index.ts';

const place = { start: 0, end: 0 };
const binaries = ['+', '-', '*', '/', '%', '&', '=', '!=', '<', '<=', '>', '>='] as const;
const title = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((text) => text.trim() || 'x');

/** Trees as the parser makes them, without their places. */
const { tree } = fc.letrec<{ tree: FormulaNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc
      .constantFrom('0', '12', '1.50', '.5', '2e3')
      .map((value): FormulaNode => ({ kind: 'number', value, ...place })),
    fc
      .string()
      .filter((text) => !text.includes('\0'))
      .map((value): FormulaNode => ({ kind: 'text', value, ...place })),
    fc.constantFrom(true, false, null).map((value): FormulaNode => ({ kind: 'constant', value, ...place })),
    title.map((name): FormulaNode => ({ kind: 'column', by: 'title', name, ...place })),
    fc
      .constantFrom('cl_a', 'cl_2')
      .map((name): FormulaNode => ({ kind: 'column', by: 'id', name, ...place })),
    tie('tree').map((item): FormulaNode => ({ kind: 'negative', item, ...place })),
    fc
      .record({ operator: fc.constantFrom(...binaries), left: tie('tree'), right: tie('tree') })
      .map((of): FormulaNode => ({ kind: 'binary', ...of, ...place })),
    fc
      .record({ name: fc.constantFrom('IF', 'CONCAT', 'X1'), items: fc.array(tie('tree'), { maxLength: 3 }) })
      .map((of): FormulaNode => ({ kind: 'call', at: place, ...of, ...place })),
  ),
}));

/** A tree without the places of its parts. */
function bare(node: FormulaNode): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => (['start', 'end', 'at'].includes(key) ? undefined : value)),
  );
}

function problemOf(formula: string, table: FormulaTable = { columns: [], keyIds: [] }): unknown {
  try {
    compileFormula(parseFormula(formula), table);
    return undefined;
  } catch (error) {
    if (error instanceof FormulaError) return error.message;
    throw error;
  }
}

describe('the parser', () => {
  test('makes of a printed tree the same tree', () => {
    fc.assert(
      fc.property(tree, (node) => expect(bare(parseFormula(printFormula(node)))).toEqual(bare(node))),
      {
        numRuns: 500,
      },
    );
  });

  test('knows what binds tighter, and reads from the left', () => {
    const same = (left: string, right: string) =>
      expect(bare(parseFormula(left))).toEqual(bare(parseFormula(right)));
    same('1 + 2 * 3', '1 + (2 * 3)');
    same('1 - 2 - 3', '(1 - 2) - 3');
    same('"a" & 1 + 2 = "a3"', '("a" & (1 + 2)) = "a3"');
    same('-{a} * 2', '(-{a}) * 2');
    same('{a} <> 1', '{a} != 1');
    same('{a} == 1', '{a} = 1');
    same('if(true; name, "it""s")', 'IF(TRUE, {name}, "it\\"s")');
  });

  test('says of any text what it is or where it is wrong, and throws nothing else', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '{',
      '}',
      '{{',
      '}}',
      '"',
      "'",
      '\\',
      ',',
      '+',
      '=',
      '<',
      'IF',
      'x',
      '1',
      '.',
      'e',
      ' ',
      '€',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          try {
            parseFormula(text);
          } catch (error) {
            expect(error).toBeInstanceOf(FormulaError);
            const { start, end } = (error as FormulaError).problem;
            expect(start >= 0 && start <= end && end <= text.length).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each(['(', '-', '{', '"', "'", '\\', 'IF(', '1+', '{a}&', 'a ', '{{', '"\\', '1e', '.'])(
    'takes a time that grows with the length alone: %s',
    (piece) => {
      const begin = process.cpuUsage();
      const text = piece.repeat(Math.floor(10_000 / piece.length));
      for (let index = 0; index < 20; index += 1) problemOf(text);
      expect(process.cpuUsage(begin).user / 1000).toBeLessThan(4000);
    },
  );

  test.each([
    ['CONCAT({Title', 'Unclosed } at character 13'],
    ['(1 + 2', 'Unclosed ( at character 0'],
    ['"abc', 'Unclosed " at character 4'],
    ['1 + ', 'The formula ends where a value is expected'],
    ['1 2', 'Unexpected "2" at character 2: an operator or the end is expected here'],
    ['IF(1 2)', 'Unexpected "2" at character 5: a comma or a bracket is expected here'],
    ['1 ~ 2', 'Unexpected "~" at character 2: formulas have no such sign'],
    ['1'.repeat(31), 'The number at character 0 has too many digits: at most 30'],
    ['1'.repeat(10_001), 'A formula has at most 10000 characters'],
    ['('.repeat(200), 'The formula is nested deeper than 100 levels'],
    [`1${'+1'.repeat(150)}`, 'The formula is nested deeper than 100 levels'],
    [`ADD(${'1,'.repeat(2500)}1)`, 'A formula has at most 2000 parts'],
    [
      'DATEADD(TODAY(), 1, "eon")',
      'Argument 3 of DATEADD, "unit", takes in quotes one of: "second", "minute", "hour", "day", "week", "month", "quarter", "year". This is: "eon"',
    ],
    ['IFS(TRUE, 1, FALSE)', 'IFS takes: IFS(condition, value, …). Arguments that were given: 3'],
    ['ROUND(1.5, "2")', 'Argument 2 of ROUND, "digits", takes: number. This is: text'],
    ['DATEADD(1, 2, "day")', 'Argument 1 of DATEADD, "date", takes: date. This is: number'],
    ['TODAY() + 1', 'The sign + takes: number. This is: date'],
    ['TODAY() > "soon"', 'The sign > takes: date. This is: text'],
    [
      'MAX(1, TODAY())',
      'MAX takes numbers or dates, and not both. Argument 1 is: number. Argument 2 is: date',
    ],
    [
      'MIN(NULL, TODAY(), NULL, 2)',
      'MIN takes numbers or dates, and not both. Argument 2 is: date. Argument 4 is: number',
    ],
    [
      'DATETIME_PARSE("1", CONCAT("Y"))',
      'Argument 2 of DATETIME_PARSE, "format", takes a text in quotes. This is: text that is computed',
    ],
    [
      'DATETIME_FORMAT(TODAY(), 1)',
      'Argument 2 of DATETIME_FORMAT, "format", takes a text in quotes. This is: number',
    ],
    [
      'REGEX_MATCH("a", "b" & "c")',
      'Argument 2 of REGEX_MATCH, "pattern", takes a text in quotes. This is: text that is computed',
    ],
    [
      'DATETIME_PARSE("1", "ddd D MMM YYYY")',
      'DATETIME_PARSE cannot read "ddd": it reads YYYY, MMMM, MMM, MM, M, DD, D, HH, H, hh, h, mm, ss and A',
    ],
    ['DATETIME_PARSE("1", "D.DD.YYYY")', 'The format of DATETIME_PARSE has the same part twice: "DD"'],
    ['DATETIME_PARSE("1", "YYYY hh HH A")', 'The format of DATETIME_PARSE has the same part twice: "HH"'],
    ['DATETIME_PARSE("1", "DD.MM.")', 'The format of DATETIME_PARSE needs "YYYY"'],
    ['DATETIME_PARSE("1", "YYYY hh:mm")', 'The format of DATETIME_PARSE needs "A"'],
    ['DATETIME_PARSE("1", "YYYY HH A")', 'The format of DATETIME_PARSE needs "hh"'],
    [
      'DATETIME_PARSE("1", "DMMYYYY")',
      'In the format of DATETIME_PARSE, "D" has one digit or two: no digit can stand behind it',
    ],
    ['{{cl_gone}}', "There is no column 'cl_gone'"],
  ])('refuses %s', (formula, message) => {
    expect(problemOf(formula)).toBe(message);
  });

  test.each([
    'IFS(TRUE, 1, FALSE, 2)',
    'SWITCH(1, 1, "a")',
    'SWITCH(1, 1, "a", "b")',
    'SWITCH(1, 1, "a", 2, "b")',
  ])('takes %s', (formula) => expect(problemOf(formula)).toBeUndefined());
});

describe('names in formulas', () => {
  const columns = [
    { id: 'cl_a', title: 'Title' },
    { id: 'cl_b', title: 'a}b\\c' },
    { id: 'cl_c', title: '{x' },
  ];
  const titleOf = (id: string) => columns.find((column) => column.id === id)?.title;

  test('become ids and titles again, and all else stays as it was typed', () => {
    const typed = 'CONCAT( {Title},"{Title}",  title , {a\\}b\\\\c})&{\\{x} = TRUE';
    const stored = withIds(typed, columns);
    expect(stored).toBe('CONCAT( {{cl_a}},"{Title}",  {{cl_a}} , {{cl_b}})&{{cl_c}} = TRUE');
    expect(withTitles(stored, titleOf)).toBe(
      'CONCAT( {Title},"{Title}",  {Title} , {a\\}b\\\\c})&{\\{x} = TRUE',
    );
    expect(withIds(withTitles(stored, titleOf), columns)).toBe(stored);
  });
});

test('The help of each function has a signature and an example that can be worked out', () => {
  const round = formulaFunctions.get('ROUND');
  expect(round && signatureOf(round)).toBe('ROUND(number, [digits])');
  const facts = { createdBy: 'by', changedBy: 'by', createdAt: 'at', changedAt: 'at' };
  const kept = [
    { id: 'by', title: 'By', kind: 'text' },
    { id: 'at', title: 'At', kind: 'datetime' },
  ] as const;
  for (const definition of formulaFunctions.values()) {
    const { name, summary } = definition;
    const { run } = compileFormula(parseFormula(exampleOf(definition)), { columns: kept, keyIds: [], facts });
    expect([name, summary.endsWith('.')]).toEqual([name, true]);
    expect(() => run({ cell: () => null, list: () => [], now: Date.now(), id: '1' })).not.toThrow();
  }
});

test('A function that has another name here is pointed to by the name that it has elsewhere', () => {
  const place = { columns: [], keyIds: [] };
  expect(() => compileFormula(parseFormula('LEN(substitute("a", "b", "c"))'), place)).toThrow(
    'There is no function SUBSTITUTE: REPLACE does that',
  );
  const ours = [...otherNames.values()];
  expect(ours.filter((name) => !formulaFunctions.has(name))).toEqual([]);
  expect([...otherNames.keys()].filter((name) => formulaFunctions.has(name))).toEqual([]);
});

test('Who made a row and when is read from the column that keeps it, and asked for where there is none', () => {
  const columns = [
    { id: 'a', title: 'Maker', kind: 'text', uidt: 'CreatedBy', columnName: 'maker' },
    { id: 'b', title: 'CreatedAt', kind: 'datetime', uidt: 'DateTime', columnName: 'created_at' },
    { id: 'c', title: 'Changed', kind: 'datetime', uidt: 'LastModifiedTime', columnName: 'changed' },
    { id: 'd', title: 'UpdatedAt', kind: 'datetime', uidt: 'DateTime', columnName: 'updated_at' },
  ] as const;
  const place = { columns, keyIds: [], facts: factsOf(columns) };
  const read = (formula: string) => compileFormula(parseFormula(formula), place);
  expect(read('CREATED_BY()')).toMatchObject({
    kind: 'text',
    expression: { kind: 'column', columnId: 'a' },
  });
  expect(read('created_time()')).toMatchObject({ kind: 'datetime', expression: { columnId: 'b' } });
  expect(read('LAST_MODIFIED_TIME()')).toMatchObject({ expression: { columnId: 'c' } });
  expect(
    read('CREATED_BY() & "!"').run({ cell: () => 'ada@example.com', list: () => [], now: 0, id: '1' }),
  ).toBe('ada@example.com!');
  expect(() => read('1 + LEN(LAST_MODIFIED_BY())')).toThrow(
    'LAST_MODIFIED_BY needs a column of the type “Last modified by” in this table: add one',
  );
  expect(() => read('CREATED_BY(1)')).toThrow('CREATED_BY takes: CREATED_BY(). Arguments that were given: 1');
});

test('The functions are those of the first product, and more', () => {
  const first =
    'AVG ADD DATEADD AND OR CONCAT TRIM UPPER LOWER LEN MIN MAX CEILING FLOOR ROUND MOD REPEAT LOG EXP POWER SQRT ABS NOW REPLACE SEARCH INT RIGHT LEFT SUBSTR MID IF SWITCH URL WEEKDAY';
  expect(first.split(' ').filter((name) => !formulaFunctions.has(name))).toEqual([]);
});
