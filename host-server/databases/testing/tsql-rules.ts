type Node = Readonly<Record<string, unknown>>;

/** The parser's nodes for aggregates. */
const aggregates: ReadonlySet<string> = new Set(
  'sum avg min max count string_agg stddev variance aggregate_function'.split(' '),
);

/** Aggregates that the parser treats as ordinary functions. */
const aggregateNames = /^(?:count_big|stdevp?|varp?|checksum_agg|approx_count_distinct)$/i;

/**
 * Finds what a parser accepts and SQL Server refuses before it runs anything, by the numbers of its documented errors: 130 (an
 * aggregate of a sub-query or an aggregate), 144 (the same in `group by`), 1033 (an order without a limit within a statement), 8124
 * (an aggregate over columns of an outer row and others) and 8155 (an unnamed column in a derived table).
 */
export function brokenRules(tree: unknown): readonly string[] {
  const found = new Set<string>();
  follow(tree, { isInside: false, aliases: undefined, report: (problem) => found.add(problem) });
  return [...found];
}

interface Place {
  /** Whether it is within another statement. */
  readonly isInside: boolean;
  /** The names of the select's tables; undefined outside a select. */
  readonly aliases: ReadonlySet<string> | undefined;
  report(problem: string): void;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Visits a value of the tree and all values nested in it. */
function follow(value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) follow(item, place);
    return;
  }
  if (!isNode(value)) return;
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'select' && isNode(inner)) followSelect(inner, place);
    else {
      if (isAggregate(kind, inner)) checkAggregate(kind, inner, place);
      if (kind === 'within_group' && isNode(inner) && holds(inner['order_by'], isQuery))
        place.report('130: a sub-query in the order of an aggregate');
      follow(inner, place);
    }
  }
}

function isAggregate(kind: string, inner: unknown): inner is Node {
  if (!isNode(inner)) return false;
  if (kind === 'function') return aggregateNames.test(String(inner['name']));
  return aggregates.has(kind);
}

function followSelect(select: Node, place: Place): void {
  const { order_by: order, offset, fetch, top, limit, group_by: groups } = select;
  const isCut = [offset, fetch, top, limit].some((part) => part !== null && part !== undefined);
  if (place.isInside && order !== null && order !== undefined && !isCut)
    place.report('1033: an order without a limit inside of a statement');
  if (holds(groups, (kind, inner) => isQuery(kind, inner) || isAggregate(kind, inner)))
    place.report('144: a sub-query or an aggregate in group by');
  const tables = tablesOf(select);
  for (const table of tables) if (!isNamed(table)) place.report('8155: a column without a name in a table');
  const aliases = new Set(tables.flatMap((table) => nameOf(table) ?? []));
  follow(Object.values(select), { ...place, isInside: true, aliases });
}

/** The tables in `from`, including joined ones. */
function tablesOf({ from, joins }: Node): readonly Node[] {
  const first = isNode(from) ? from['expressions'] : [];
  const others = Array.isArray(joins) ? joins.map((join: Node) => join['this']) : [];
  return [...(Array.isArray(first) ? (first as readonly unknown[]) : []), ...others].filter(isNode);
}

/** The name that qualifies a table's columns: its alias, or its own name. */
function nameOf(table: Node): string | undefined {
  const [, inner] = Object.entries(table)[0] ?? [];
  if (!isNode(inner)) return undefined;
  const named = (inner['alias'] ?? inner['name']) as { readonly name?: unknown } | null | undefined;
  return named === null || named === undefined ? undefined : String(named.name);
}

/** Whether each column of a derived table has a name. */
function isNamed(table: Node): boolean {
  const query = table['subquery'];
  if (!isNode(query)) return true;
  const columns = query['column_aliases'];
  if (Array.isArray(columns) && columns.length > 0) return true;
  const select = isNode(query['this']) ? query['this']['select'] : undefined;
  const expressions = isNode(select) ? select['expressions'] : [];
  return (expressions as readonly Node[]).every((expression) =>
    ['alias', 'column', 'star'].includes(Object.keys(expression)[0] ?? ''),
  );
}

function checkAggregate(kind: string, inner: Node, { aliases, report }: Place): void {
  if (holds(inner, isQuery)) report(`130: a sub-query within ${kind}`);
  if (holds(inner, isAggregate)) report(`130: an aggregate within ${kind}`);
  const columns = columnsIn(inner);
  const isOutside = (column: string) => {
    const [table] = column.split('.');
    return table !== '' && aliases !== undefined && !aliases.has(table ?? '');
  };
  if (columns.some(isOutside)) report(`8124: a row from outside within ${kind}`);
}

function isQuery(kind: string, inner: unknown): boolean {
  return isNode(inner) && ['subquery', 'exists', 'select', 'union'].includes(kind);
}

/** Whether the tree contains a node of a kind. */
function holds(value: unknown, is: (kind: string, inner: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, is));
  if (!isNode(value)) return false;
  return Object.entries(value).some(([kind, inner]) => is(kind, inner) || holds(inner, is));
}

/** The columns that an expression names, as `table.column`, without those of nested selects. */
function columnsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(columnsIn);
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([kind, inner]) => {
    if (kind === 'select') return [];
    if (kind !== 'column' || !isNode(inner) || !isNode(inner['name'])) return columnsIn(inner);
    const table = isNode(inner['table']) ? String(inner['table']['name']) : '';
    return [`${table}.${String(inner['name']['name'])}`];
  });
}
