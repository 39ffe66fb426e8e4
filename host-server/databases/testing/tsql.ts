import * as polyglot from '@polyglot-sql/sdk';
import { brokenRules } from './tsql-rules.ts';

type Node = Readonly<Record<string, unknown>>;

/** The parser's nodes for conditions, which SQL Server does not accept as values. */
const conditions: ReadonlySet<string> = new Set(
  (
    'eq neq lt lte gt gte and or not in between like is_null exists ' +
    'i_like ilike is_true is_false is null_safe_eq null_safe_neq'
  ).split(' '),
);

/** Words and signs of other databases that the parser accepts. Texts and quoted names are removed first. */
const foreign: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['limit', /\blimit\b/i],
  ['ilike', /\bilike\b/i],
  ['returning', /\breturning\b/i],
  ['a cast by ::', /::/],
  ['a backtick', /`/],
  ['a name in double quotes', /"/],
  ['true or false', /\b(?:true|false)\b/i],
  ['||', /\|\|/],
  ['nulls first or last', /\bnulls (?:first|last)\b/i],
  ['distinct from', /\bdistinct from\b/i],
  ['for update', /\bfor update\b/i],
  ['on conflict', /\bon (?:conflict|duplicate)\b/i],
  ['an interval', /\binterval\b/i],
  ['a regular expression', /\b(?:regexp|rlike)\b|\s~\s/i],
  [
    'a function of other databases',
    /\b(?:substr|instr|length|char_length|ifnull|strpos|split_part|ln|trunc|greatest|least|random|now|strftime|date_format|to_char|group_concat|lpad|rpad|repeat|mod)\(/i,
  ],
  ['a type of other databases', /\bcast\([^()]* as (?:text|char|signed|double|numeric|boolean|bytea)\b/i],
  ['other forms of alter table', /\b(?:rename to|rename column|add column|modify column|change column)\b/i],
  ['a placeholder', /\?/],
];

/** T-SQL statements that the parser does not know, by their documented grammar. */
const name = String.raw`\[(?:[^\]]|\]\])+\]`;
const table = `(?:${name}\\.)?${name}`;
const words = "N'(?:[^']|'')*'";
const unknownToParser: readonly RegExp[] = [
  new RegExp(`^exec sp_rename ${words}, ${words}(?:, N'COLUMN')?$`, 'i'),
  new RegExp(
    `^alter table ${table} alter column ${name} [a-z0-9]+(?:\\((?:max|\\d+(?:,\\d+)?)\\))?(?: collate \\w+)? (?:not )?null$`,
    'i',
  ),
  new RegExp(
    `^alter table ${table} add default (?:${words}|[-\\w.]+|\\(.*\\)|\\w+\\(.*\\)) for ${name}$`,
    'i',
  ),
  /^if @@trancount > 0 rollback transaction; set transaction isolation level read committed$/,
  /^if exists \(select 1 from [^;]*\) set transaction isolation level snapshot else set transaction isolation level (repeatable read|read committed)$/,
];

/** `add [a] int null default 1 with values`: the parser knows it without the last words. */
const withValues = / with values$/i;

function withoutTexts(sql: string): string {
  return sql.replace(/N?'(?:[^']|'')*'/g, "''").replace(/\[(?:[^\]]|\]\])*\]/g, '[]');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

type Expects = 'condition' | 'value';

const clauses: ReadonlySet<string> = new Set(['where_clause', 'having', 'on']);

/** What a place of an expression takes: `and` and similar operators take conditions, others take values. */
function expectedAt(kind: string, place: string): Expects {
  const isOfBoth = (kind === 'and' || kind === 'or') && (place === 'left' || place === 'right');
  return isOfBoth || (kind === 'not' && place === 'this') ? 'condition' : 'value';
}

/** Conditions in the place of values, and values in the place of conditions. */
function misplaced(tree: unknown): string[] {
  const found: string[] = [];

  function expression(node: unknown, expects: Expects, where: string): void {
    if (Array.isArray(node)) {
      for (const item of node) expression(item, expects, where);
      return;
    }
    if (!isNode(node)) return;
    const [[kind, inner] = [], ...others] = Object.entries(node);
    if (kind === undefined) return;
    if (others.length > 0) {
      parts(where, node);
    } else if (kind === 'paren' && isNode(inner)) {
      expression(inner['this'], expects, where);
    } else {
      const isCondition = conditions.has(kind);
      if (isCondition !== (expects === 'condition')) found.push(`${kind} as a ${expects} of ${where}`);
      if (isNode(inner)) parts(kind, inner);
    }
  }

  function parts(kind: string, node: Node): void {
    if (Array.isArray(node)) {
      expression(node, 'value', kind);
      return;
    }
    for (const [place, part] of Object.entries(node)) {
      if (kind === 'case' && place === 'whens') {
        const expects = isNode(node['operand']) ? 'value' : 'condition';
        for (const [when, then] of part as readonly (readonly [unknown, unknown])[]) {
          expression(when, expects, 'when');
          expression(then, 'value', 'then');
        }
      } else if (clauses.has(place) && isNode(part)) {
        expression('this' in part ? part['this'] : part, 'condition', place);
      } else expression(part, expectedAt(kind, place), kind);
    }
  }

  expression(tree, 'value', 'the statement');
  return found;
}

/** Why a text is not valid T-SQL, in words; empty if it is valid. Bound values are named `@p0` and so on. */
export function tsqlProblems(sql: string): readonly string[] {
  const bare = withoutTexts(sql);
  const problems = foreign.filter(([, pattern]) => pattern.test(bare)).map(([what]) => what);
  if (unknownToParser.some((pattern) => pattern.test(sql))) return problems;
  const module = polyglot as unknown as { readonly default?: typeof polyglot };
  const { success, error, ast } = (module.default ?? polyglot).parse(
    sql.replace(withValues, ''),
    'tsql' as never,
  );
  if (!success) return [...problems, `the parser says: ${error}`];
  return [...problems, ...misplaced(ast), ...brokenRules(ast)];
}
