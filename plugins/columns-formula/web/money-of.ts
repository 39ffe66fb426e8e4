import { defaultMoneyLocale, type MoneyFormat } from '#plugins/columns-basic/shared';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { columnByTitle, FormulaError, parseFormula, type FormulaNode } from '../shared/index.ts';

/** A column's format of money amounts. */
export interface Money extends MoneyFormat {
  readonly currency_code: string;
}

/** Functions whose result is a money amount if their arguments are. */
const keeping = new Set([
  'ADD',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'MEDIAN',
  'ROUND',
  'ROUNDUP',
  'ROUNDDOWN',
  'TRUNC',
  'CEILING',
  'FLOOR',
  'INT',
  'ABS',
]);

/** The format of a formula's money amounts; undefined if its result is not one. */
export function moneyOf(text: string, columns: readonly ColumnEntity[]): Money | undefined {
  const unitOf = (node: FormulaNode): Money | undefined => {
    switch (node.kind) {
      case 'column': {
        const column =
          node.by === 'id' ? columns.find(({ id }) => id === node.name) : columnByTitle(columns, node.name);
        return column && moneyOfColumn(column);
      }
      case 'negative':
        return unitOf(node.item);
      case 'binary': {
        const [left, right] = [unitOf(node.left), unitOf(node.right)];
        if (node.operator === '+' || node.operator === '-') return left ?? right;
        if (node.operator === '*')
          return left === undefined || right === undefined ? (left ?? right) : undefined;
        // Money divided by money is a ratio.
        return (node.operator === '/' || node.operator === '%') && right === undefined ? left : undefined;
      }
      case 'call': {
        if (node.name === 'IF') return node.items.slice(1).map(unitOf).find(isMoney);
        return keeping.has(node.name) ? node.items.map(unitOf).find(isMoney) : undefined;
      }
      default:
        return undefined;
    }
  };
  try {
    return unitOf(parseFormula(text));
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

const isMoney = (of: Money | undefined): boolean => of !== undefined;

/** A column's money format: of a money column, or of a column that is derived from such columns. */
function moneyOfColumn({ uidt, meta, colOptions }: ColumnEntity): Money | undefined {
  const { result } = (colOptions ?? {}) as {
    readonly result?: { readonly uidt: string; readonly meta?: unknown };
  };
  if (result?.uidt === 'Currency') return moneyIn(result.meta);
  if (uidt === 'Currency') return moneyIn(meta);
  return uidt === 'Formula' &&
    (meta as { readonly number_format?: string } | null)?.number_format === 'currency'
    ? moneyIn(meta)
    : undefined;
}

function moneyIn(meta: unknown): Money {
  const {
    currency_code = 'USD',
    currency_locale = defaultMoneyLocale,
    currency_format,
  } = (meta ?? {}) as Partial<Money>;
  return { currency_code, currency_locale, ...(currency_format && { currency_format }) };
}

/** A currency's number of decimals. */
export function decimalsOf({ currency_code: currency }: Pick<Money, 'currency_code'>): number {
  return (
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  );
}
