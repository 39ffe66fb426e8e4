import { lowerCase } from '../letter-case.ts';
import type { Expression, Predicate } from '../query-tree.ts';
import type { CellValue, StorageKind } from '../storage-kind.ts';
import { momentOrder, numberOrder, textOrder } from './value-order.ts';

/** The cells of a row by column id, with the kinds of their columns. A missing cell is unknown. @public */
export interface KnownCells {
  kindOf(columnId: string): StorageKind | undefined;
  readonly cells: ReadonlyMap<string, CellValue>;
}

/** True, false, or null when a missing value leaves it open, as in databases. */
type Truth = boolean | null;

/** A condition needs facts that these cells do not contain: another column, linked rows, a function of the database. @public */
export class NotDecided extends Error {}

const numeric: ReadonlySet<StorageKind> = new Set(['integer', 'bigint', 'decimal', 'float']);

/**
 * Whether cells meet a condition, by the same rules as in the databases: texts compare by bytes and numbers exactly, `like` and
 * `contains` ignore case, and nothing equals an empty cell.
 *
 * @throws NotDecided
 * @public
 */
export function meets(condition: Predicate, known: KnownCells): boolean {
  return truthOf(condition, known) === true;
}

function truthOf(condition: Predicate, known: KnownCells): Truth {
  const value = (of: Expression) => valueOf(of, known);
  switch (condition.kind) {
    case 'always':
      return condition.value;
    case 'and':
      return all(condition.items.map((item) => truthOf(item, known)));
    case 'or':
      return not(all(condition.items.map((item) => not(truthOf(item, known)))));
    case 'not':
      return not(truthOf(condition.item, known));
    case 'compare': {
      const order = orderOf(value(condition.left), value(condition.right));
      return order === null ? null : tests[condition.comparison](order);
    }
    case 'in': {
      const item = value(condition.item);
      const hits = condition.values.map((choice) => {
        const order = orderOf(item, value(choice));
        return order === null ? null : order === 0;
      });
      return not(all(hits.map(not)));
    }
    case 'between': {
      const item = value(condition.item);
      const low = orderOf(item, value(condition.low));
      const high = orderOf(item, value(condition.high));
      return all([low === null ? null : low >= 0, high === null ? null : high <= 0]);
    }
    case 'like': {
      const item = value(condition.item);
      return item.value === null ? null : isLike(textOf(item.value), condition.pattern);
    }
    case 'contains': {
      const item = value(condition.item);
      return item.value === null ? null : lowerCase(textOf(item.value)).includes(lowerCase(condition.text));
    }
    case 'isNull':
      return value(condition.item).value === null;
    case 'call': {
      const [item, ...others] = condition.arguments;
      if (condition.function !== 'IS_EMPTY' || item === undefined || others.length > 0)
        throw new NotDecided(condition.function);
      return isEmpty(value(item));
    }
    default:
      throw new NotDecided(condition.kind);
  }
}

const tests = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;

function all(of: readonly Truth[]): Truth {
  if (of.includes(false)) return false;
  return of.includes(null) ? null : true;
}

function not(of: Truth): Truth {
  return of === null ? null : !of;
}

interface Value {
  readonly kind: StorageKind;
  readonly value: CellValue;
}

function valueOf(of: Expression, known: KnownCells): Value {
  const { kindOf, cells } = known;
  if (of.kind === 'literal') return { kind: of.storage, value: of.value };
  if (of.kind === 'concat')
    return { kind: 'text', value: of.items.map((item) => partText(valueOf(item, known))).join('') };
  if (of.kind !== 'column') throw new NotDecided(of.kind);
  const kind = kindOf(of.columnId);
  const value = cells.get(of.columnId);
  if (kind === undefined || value === undefined) throw new NotDecided(of.columnId);
  return { kind, value };
}

/** A number below, at or above zero; null when a value is missing. */
function orderOf(left: Value, right: Value): number | null {
  if (left.value === null || right.value === null) return null;
  const [a, b] = [left.value, right.value];
  const kinds = [left.kind, right.kind];
  if (kinds.includes('float')) return Math.sign(Number(a) - Number(b));
  if (kinds.some((kind) => numeric.has(kind))) return numberOrder(textOf(a), textOf(b));
  if (kinds.includes('boolean')) return Number(isTicked(a)) - Number(isTicked(b));
  if (kinds.includes('datetime')) return momentOrder(textOf(a), textOf(b));
  return textOrder(textOf(a), textOf(b));
}

function textOf(value: CellValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether databases would count it as empty: null, an empty text, and in JSON an empty list or object. */
function isEmpty({ kind, value }: Value): boolean {
  if (value === null) return true;
  if (kind === 'json') return ['', 'null', '[]', '{}'].includes(textOf(value));
  return (kind === 'string' || kind === 'text') && textOf(value) === '';
}

/** A part of a concatenated text; a missing one is empty. */
function partText({ value }: Value): string {
  return value === null ? '' : textOf(value);
}

function isTicked(value: CellValue): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** `%` matches any run of characters. The parts are searched one after another, so that every pattern takes linear time. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = lowerCase(pattern).split('%');
  const whole = lowerCase(text);
  const last = rest.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return whole.length - last.length >= at && whole.endsWith(last);
}
