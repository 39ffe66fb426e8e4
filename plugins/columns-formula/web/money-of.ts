import { defaultMoneyLocale, type MoneyFormat } from '#plugins/columns-basic/shared';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { columnByTitle, FormulaError, parseFormula, type FormulaNode } from '../shared/index.ts';

/** How a column writes amounts of money. */
export interface Money extends MoneyFormat {
  readonly currency_code: string;
}

/** Functions that give an amount of money for amounts of money. */
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

/** How the amounts of a formula are to be written; undefined where what it gives is no amount of money. */
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
        // Money by money is a share.
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

/** How a column writes amounts: one of money, or one that is taken or worked out from such columns. */
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

/** How many digits behind the point a currency has. */
export function decimalsOf({ currency_code: currency }: Pick<Money, 'currency_code'>): number {
  return (
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  );
}
