/**
 * The text of a `create table` statement, split into its definitions.
 *
 * SQLite stores the statement as it was written, and names of constraints, checks, collations and generated columns are nowhere
 * else. So a rebuild edits this text and leaves the rest unchanged.
 */
export class CreateTableText {
  readonly #definitions: Definition[];
  readonly #suffix: string;

  private constructor(definitions: Definition[], suffix: string) {
    this.#definitions = definitions;
    this.#suffix = suffix;
  }

  static parse(sql: string): CreateTableText {
    const tokens = tokenize(sql);
    const open = tokens.findIndex((token) => token.text === '(');
    const close = open < 0 ? -1 : closing(tokens, open);
    if (close < 0) throw new Error('The table was not made by a plain "create table" and cannot be rebuilt');
    const definitions: Definition[] = [];
    let start = open + 1;
    for (let index = start; index <= close; index += 1) {
      const text = tokens[index]?.text;
      if (text === '(') {
        index = closing(tokens, index);
      } else if (text === ',' || index === close) {
        definitions.push(new Definition(tokens.slice(start, index)));
        start = index + 1;
      }
    }
    return new CreateTableText(definitions, join(tokens.slice(close + 1)));
  }

  /** The statement for a table called `quotedName`. */
  toSql(quotedName: string): string {
    const body = this.#definitions.map((definition) => definition.toSql()).join(', ');
    return `create table ${quotedName} (${body}) ${this.#suffix}`.trimEnd();
  }

  hasAutoIncrement(): boolean {
    return this.#definitions.some((definition) => definition.hasWord('autoincrement'));
  }

  /** Whether the table has a constraint of this name. */
  hasConstraint(name: string): boolean {
    return this.#definitions.some((definition) => sameName(definition.constraintName, name));
  }

  /** Whether a primary key, unique or foreign key constraint, in the column or in the table, uses the column. */
  isConstrained(column: string): boolean {
    return this.#definitions.some(
      (definition) =>
        definition.constrains(column) ||
        (sameName(definition.columnName, column) &&
          ['primary', 'unique', 'references', 'check'].some((word) => definition.hasWord(word))),
    );
  }

  add(definition: string): void {
    const parsed = new Definition(tokenize(definition));
    // Constraints come after all columns.
    const at = this.#definitions.findIndex((other) => other.columnName === undefined);
    if (parsed.columnName === undefined || at < 0) this.#definitions.push(parsed);
    else this.#definitions.splice(at, 0, parsed);
  }

  replaceColumn(column: string, definition: string): void {
    this.#definitions[this.#indexOf(column)] = new Definition(tokenize(definition));
  }

  /** Changes the type of a column and keeps its constraints. */
  setType(column: string, type: string): void {
    this.#definitions[this.#indexOf(column)]?.setType(type);
  }

  /** Removes the column, and the table's constraints that name it. */
  removeColumn(column: string): void {
    this.#definitions.splice(this.#indexOf(column), 1);
    this.#keep((definition) => !definition.constrains(column));
  }

  removeConstraint(name: string): void {
    this.#keep((definition) => !sameName(definition.constraintName, name));
  }

  /** Replaces, removes or adds the clause of a column that begins with `words`. */
  setClause(column: string, words: readonly string[], clause: string | undefined): void {
    this.#definitions[this.#indexOf(column)]?.setClause(words, clause);
  }

  #keep(test: (definition: Definition) => boolean): void {
    const kept = this.#definitions.filter(test);
    this.#definitions.splice(0, this.#definitions.length, ...kept);
  }

  #indexOf(column: string): number {
    const index = this.#definitions.findIndex((definition) => sameName(definition.columnName, column));
    if (index < 0) throw new Error(`The table's statement has no column '${column}'`);
    return index;
  }
}

interface Token {
  readonly text: string;
  /** Whether white space came before the token. */
  readonly spaced: boolean;
}

const TABLE_CONSTRAINTS = new Set(['constraint', 'primary', 'unique', 'check', 'foreign']);
const CLAUSE_STARTS = new Set([
  'constraint',
  'primary',
  'not',
  'null',
  'unique',
  'check',
  'default',
  'collate',
  'references',
  'generated',
  'as',
]);

class Definition {
  #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get columnName(): string | undefined {
    const first = this.#tokens[0]?.text ?? '';
    return TABLE_CONSTRAINTS.has(first.toLowerCase()) ? undefined : unquote(first);
  }

  get constraintName(): string | undefined {
    return this.#word(0) === 'constraint' ? unquote(this.#tokens[1]?.text ?? '') : undefined;
  }

  hasWord(word: string): boolean {
    return this.#tokens.some((_, index) => this.#word(index) === word);
  }

  /** Whether this is a key constraint of the table whose first list names the column. */
  constrains(column: string): boolean {
    if (this.columnName !== undefined || this.hasWord('check')) return false;
    const open = this.#tokens.findIndex((token) => token.text === '(');
    if (open < 0) return false;
    return this.#tokens
      .slice(open + 1, closing(this.#tokens, open))
      .some((token) => sameName(unquote(token.text), column));
  }

  setClause(words: readonly string[], clause: string | undefined): void {
    const added = clause === undefined ? [] : tokenize(` ${clause}`);
    const start = this.#tokens.findIndex(
      (_, index) => index > 0 && words.every((word, offset) => this.#word(index + offset) === word),
    );
    if (start < 0) {
      this.#tokens = [...this.#tokens, ...added];
      return;
    }
    const named = start >= 2 && this.#word(start - 2) === 'constraint';
    const end = this.#clauseEnd(start + words.length);
    this.#tokens = [
      ...this.#tokens.slice(0, named ? start - 2 : start),
      ...added,
      ...this.#tokens.slice(end),
    ];
  }

  setType(type: string): void {
    const [name, ...rest] = this.#tokens;
    if (name === undefined) return;
    this.#tokens = [name, ...tokenize(` ${type}`), ...rest.slice(this.#clauseEnd(1) - 1)];
  }

  toSql(): string {
    return join(this.#tokens);
  }

  #clauseEnd(from: number): number {
    for (let index = from; index < this.#tokens.length; index += 1) {
      if (this.#tokens[index]?.text === '(') index = closing(this.#tokens, index);
      else if (
        CLAUSE_STARTS.has(this.#word(index) ?? '') &&
        !(index === from && this.#word(index) === 'null')
      )
        return index;
    }
    return this.#tokens.length;
  }

  #word(index: number): string | undefined {
    return this.#tokens[index]?.text.toLowerCase();
  }
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$.]+|[^\s]/gu;

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let spaced = false;
  for (const [text] of sql.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(text)) {
      spaced = true;
    } else {
      tokens.push({ text, spaced });
      spaced = false;
    }
  }
  return tokens;
}

function join(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (index > 0 && token.spaced ? ` ${token.text}` : token.text)).join('');
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const text = tokens[index]?.text;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

function unquote(text: string): string {
  const mark = text[0];
  if (mark === '"' || mark === '`' || mark === "'") return text.slice(1, -1).replaceAll(mark + mark, mark);
  return mark === '[' ? text.slice(1, -1) : text;
}

function sameName(left: string | undefined, right: string): boolean {
  return left !== undefined && left.toLowerCase() === right.toLowerCase();
}
