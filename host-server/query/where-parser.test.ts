import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseWhere as parse, type WhereJoiner, type WhereNode, type WhereTerm } from './where-parser.ts';

const parseWhere = (text: string) => parse(text, (operator) => operator === 'in');

const words: Readonly<Record<WhereJoiner, string>> = { and: '~and', or: '~or', not: '~not', ornot: '~ornot' };

function print(node: WhereNode): string {
  if (node.kind === 'condition') {
    const value = node.value === undefined ? '' : `,${node.value}`;
    return `(${node.column},${node.operator}${value})`;
  }
  return node.terms
    .map(({ joiner, node: of }, index) => {
      const word = index === 0 && joiner === 'and' ? '' : words[joiner];
      return word + (of.kind === 'group' ? `(${print(of)})` : print(of));
    })
    .join('');
}

const column = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => {
  return !/[,()]/.test(text) && !/^\s*~/.test(text) && text.trim() !== '';
});
const condition = fc.record({
  kind: fc.constant('condition' as const),
  column,
  operator: fc.constantFrom('eq', 'neq', 'like', 'in', 'btw', 'toString', '__proto__'),
  value: fc.option(
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[)"]/.test(text)),
    { nil: undefined },
  ),
});
const { root } = fc.letrec<{ root: WhereNode; term: WhereNode }>((tie) => ({
  root: fc
    .tuple(
      fc.constantFrom<WhereJoiner>('and', 'not'),
      tie('term'),
      fc.array(
        fc.record({ joiner: fc.constantFrom<WhereJoiner>('and', 'or', 'not', 'ornot'), node: tie('term') }),
        { maxLength: 4 },
      ),
    )
    .map(([joiner, node, rest]): WhereNode => ({
      kind: 'group',
      terms: [{ joiner, node } as WhereTerm, ...rest],
    })),
  term: fc.oneof({ depthSize: 'small', maxDepth: 6 }, condition, tie('root')),
}));

function problemOf(where: string): unknown {
  try {
    return parseWhere(where);
  } catch (error) {
    return error;
  }
}

describe('the where grammar', () => {
  test('reads back every tree that can be written', () => {
    fc.assert(
      fc.property(root, (tree) => {
        expect(parseWhere(print(tree))).toEqual(tree);
      }),
      { numRuns: 500 },
    );
  });

  test('answers any text with a tree or with a 400 that says where it stopped', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom('(', ')', ',', '~and', '~or', '~not', '~', 'a', 'eq', ' ', '%', "'"), {
          maxLength: 30,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (where) => {
        try {
          expect(parseWhere(where).kind).toBe('group');
        } catch (error) {
          expect(error).toMatchObject({ status: 400, code: expect.stringMatching(/^WHERE_/) });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('reads values with commas, quotes and signs as they stand', () => {
    expect(parseWhere("(A b,in,1,2, 'x' ~or =)")).toEqual({
      kind: 'group',
      terms: [
        {
          joiner: 'and',
          node: { kind: 'condition', column: 'A b', operator: 'in', value: "1,2, 'x' ~or =" },
        },
      ],
    });
  });

  test('reads brackets in the quoted values of a list, and in no other quotes', () => {
    const read = (text: string) => {
      const tree = parseWhere(text);
      return tree.kind === 'group' && tree.terms.map(({ node }) => node.kind === 'condition' && node.value);
    };
    const listed = '"A (b)", "say "")""" ,c';
    expect(read(`(Kind,in,${listed})~and(b,in,"(")`)).toEqual([listed, '"("']);
    expect(read('(a,in,x")~and(b,in,y")')).toEqual(['x"', 'y"']);
    expect(problemOf('(Kind,eq,"A (b)")')).toMatchObject({ code: 'WHERE_SYNTAX' });
    expect(problemOf('(Kind,in,"A (b)"')).toMatchObject({ code: 'WHERE_SYNTAX' });
  });

  test.each(['~or~not', '~ornot'])('reads %s as OR NOT', (joiner) => {
    const tree = parseWhere(`(a,eq,1)${joiner}(b,eq,2)`);
    expect(tree.kind === 'group' && tree.terms[1]?.joiner).toBe('ornot');
  });

  test.each([
    ['(', 'WHERE_SYNTAX'],
    ['((a,eq,1)', 'WHERE_SYNTAX'],
    ['(a,eq,1))', 'WHERE_SYNTAX'],
    ['(a,eq,1)(b,eq,2)', 'WHERE_SYNTAX'],
    ['(a,eq,1)~xor(b,eq,2)', 'WHERE_SYNTAX'],
    ['(a,eq,1)~and~or(b,eq,2)', 'WHERE_SYNTAX'],
    ['~or(a,eq,1)', 'WHERE_SYNTAX'],
    ['(a,eq,1)~and', 'WHERE_SYNTAX'],
    ['(a)', 'WHERE_SYNTAX'],
    ['(,eq,1)', 'WHERE_SYNTAX'],
    ['1=1', 'WHERE_SYNTAX'],
    ['('.repeat(40), 'WHERE_TOO_LARGE'],
    ['(a,eq,1)~and'.repeat(600), 'WHERE_TOO_LARGE'],
    [`(a,eq,${'x'.repeat(60_000)})`, 'WHERE_TOO_LARGE'],
  ])('refuses %.30s', (where, code) => {
    expect(problemOf(where)).toMatchObject({ code, status: 400 });
  });
});
