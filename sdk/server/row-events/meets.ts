import type { CellValue, Expression, Predicate, StorageKind } from '../../shared/index.ts';

/** The cells of a row by column id, with the kinds of their columns. A cell that is not there is not known. @public */
export interface KnownCells {
  kindOf(columnId: string): StorageKind | undefined;
  readonly cells: ReadonlyMap<string, CellValue>;
}

/** True, false, or null where a missing value leaves it open, as databases count. */
type Truth = boolean | null;

/** A condition asks for what these cells do not tell: another column, linked rows, a function of the database. @public */
export class NotDecided extends Error {}

const numeric: ReadonlySet<StorageKind> = new Set(['integer', 'bigint', 'decimal', 'float']);

/**
 * Whether cells meet a condition, by the rules by which databases compare here: texts by their bytes, numbers exactly, `like` and
 * `contains` without regard to case, and nothing is equal to an empty cell.
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
      return item.value === null
        ? null
        : textOf(item.value).toLowerCase().includes(condition.text.toLowerCase());
    }
    case 'isNull':
      return value(condition.item).value === null;
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

function valueOf(of: Expression, { kindOf, cells }: KnownCells): Value {
  if (of.kind === 'literal') return { kind: of.storage, value: of.value };
  if (of.kind !== 'column') throw new NotDecided(of.kind);
  const kind = kindOf(of.columnId);
  const value = cells.get(of.columnId);
  if (kind === undefined || value === undefined) throw new NotDecided(of.columnId);
  return { kind, value };
}

/** Below, at or above zero; null where one of them is missing. */
function orderOf(left: Value, right: Value): number | null {
  if (left.value === null || right.value === null) return null;
  const [a, b] = [left.value, right.value];
  const kinds = [left.kind, right.kind];
  if (kinds.includes('float')) return Math.sign(Number(a) - Number(b));
  if (kinds.some((kind) => numeric.has(kind))) return numberOrder(textOf(a), textOf(b));
  if (kinds.includes('boolean')) return Number(isTicked(a)) - Number(isTicked(b));
  if (kinds.includes('datetime')) return Math.sign(momentOf(textOf(a)) - momentOf(textOf(b)));
  return Buffer.compare(Buffer.from(textOf(a)), Buffer.from(textOf(b)));
}

function textOf(value: CellValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isTicked(value: CellValue): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Milliseconds; a text without a zone is in UTC. */
function momentOf(text: string): number {
  const iso = text.trim().replace(' ', 'T');
  return Date.parse(/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(iso.slice(10)) ? iso : `${iso}Z`);
}

/** Compares texts of decimal digits without losing any. */
function numberOrder(left: string, right: string): number {
  const [a, b] = [readDecimal(left), readDecimal(right)];
  if (a === undefined || b === undefined) return Math.sign(Number(left) - Number(right));
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function readDecimal(text: string): { readonly digits: bigint; readonly scale: number } | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [, sign, whole = '', part = ''] = found;
  const digits = BigInt(`${whole}${part}` || '0');
  return { digits: sign === '-' ? -digits : digits, scale: part.length };
}

/** `%` stands for any run of characters. The parts are looked for one after the other, so that no pattern takes long. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('%');
  const whole = text.toLowerCase();
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
