import type {
  CellValue,
  ColumnContext,
  ColumnTypeDefinition,
  Expression,
  FilterNode,
  FilterOperator,
  Predicate,
} from '@trellis/sdk/shared';

/** A column that a condition may ask of. */
export interface ConditionColumn {
  readonly type: ColumnTypeDefinition | undefined;
  readonly context: ColumnContext;
}

export interface ConditionGround {
  readonly columns: ReadonlyMap<string, ConditionColumn>;
  readonly operators: readonly FilterOperator[];
  /** The answers so far, by the ids of the columns. */
  valueOf(columnId: string): CellValue;
}

type Plain = string | number | boolean | null;

/**
 * Whether the answers meet a condition, by the same operators as filters of rows. A condition by a column or an operator that is not there is not met.
 *
 * @throws RangeError for a comparison that needs a database.
 */
export function holds(nodes: readonly FilterNode[], ground: ConditionGround): boolean {
  let result: boolean | undefined;
  for (const node of nodes) {
    const here = node.kind === 'group' ? holds(node.children, ground) : meets(node, ground);
    if (node.logicalOp === 'or') result = result === undefined ? here : result || here;
    else {
      const wanted = node.logicalOp === 'not' ? !here : here;
      result = result === undefined ? wanted : result && wanted;
    }
  }
  return result ?? true;
}

function meets(node: FilterNode & { readonly kind: 'condition' }, ground: ConditionGround): boolean {
  const column = ground.columns.get(node.columnId);
  const operator = ground.operators.find(
    ({ id, aliases }) => id === node.operator || aliases?.includes(node.operator) === true,
  );
  if (column?.type === undefined || operator === undefined) return false;
  const { type, context } = column;
  const predicate = operator.build({
    column: { kind: 'column', columnId: node.columnId },
    type: type.id,
    storage: context.storage,
    ...(type.separator !== undefined && { separator: type.separator }),
    value: node.value,
    literal(value) {
      const parsed = type.parse(value, context);
      if (!parsed.ok) throw new RangeError(parsed.message);
      return { kind: 'literal', value: plain(parsed.value), storage: context.storage };
    },
  });
  return isMet(predicate, (id) => listed(ground.valueOf(id), type.separator)) === true;
}

/** A list is kept as one text. */
function listed(value: CellValue, separator = ','): CellValue {
  return Array.isArray(value) ? value.map(String).join(separator) : value;
}

function plain(value: CellValue): Plain {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

type ValueOf = (columnId: string) => CellValue;

/** True, false, or null where it is neither, as databases decide. */
function isMet(of: Predicate, valueOf: ValueOf): boolean | null {
  switch (of.kind) {
    case 'always':
      return of.value;
    case 'not': {
      const inner = isMet(of.item, valueOf);
      return inner === null ? null : !inner;
    }
    case 'and':
    case 'or': {
      const ends = of.kind === 'or';
      const results = of.items.map((item) => isMet(item, valueOf));
      if (results.includes(ends)) return ends;
      return results.includes(null) ? null : !ends;
    }
    case 'isNull':
      return evaluate(of.item, valueOf) === null;
    case 'compare': {
      const order = compared(evaluate(of.left, valueOf), evaluate(of.right, valueOf));
      return order === null ? null : comparisons[of.comparison](order);
    }
    case 'in': {
      const item = evaluate(of.item, valueOf);
      return item === null ? null : of.values.some((one) => compared(item, evaluate(one, valueOf)) === 0);
    }
    case 'between': {
      const item = evaluate(of.item, valueOf);
      const low = compared(item, evaluate(of.low, valueOf));
      const high = compared(item, evaluate(of.high, valueOf));
      return low === null || high === null ? null : low >= 0 && high <= 0;
    }
    case 'like': {
      const item = evaluate(of.item, valueOf);
      return item === null ? null : isLike(String(item).toLowerCase(), of.pattern.toLowerCase());
    }
    case 'contains': {
      const item = evaluate(of.item, valueOf);
      return item === null ? null : String(item).toLowerCase().includes(of.text.toLowerCase());
    }
    case 'some':
    case 'call':
      throw new RangeError('cannot be asked before the row is there');
  }
}

const comparisons = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;

function evaluate(of: Expression, valueOf: ValueOf): Plain {
  switch (of.kind) {
    case 'literal':
      return of.value;
    case 'column':
      return plain(valueOf(of.columnId));
    case 'concat':
      return of.items.map((item) => evaluate(item, valueOf) ?? '').join('');
    default:
      throw new RangeError('cannot be asked before the row is there');
  }
}

/** Negative, 0 or positive; null where one of them is missing. Digits are compared as numbers, texts without regard to their case. */
function compared(left: Plain, right: Plain): number | null {
  if (left === null || right === null) return null;
  if (typeof left === 'string' && typeof right === 'string' && !(isNumber(left) && isNumber(right))) {
    const [a, b] = [left.toLowerCase(), right.toLowerCase()];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return Number(left) - Number(right);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** `%` stands for any run of characters. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('%');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
