import { parseSync } from 'rolldown/utils';

/** A node of the ESTree syntax tree, with its text range. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A replacement of text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line of a JSDoc comment. */
interface Tag {
  readonly kind: 'param' | 'returns' | 'type';
  readonly type: string;
  /** As written, in brackets if optional. */
  readonly name?: string;
}

/**
 * Converts TypeScript to JavaScript with the types in JSDoc comments, so that the compiler checks it like the source.
 *
 * It supports what the templates use. @throws Error for other TypeScript-only syntax: the result must be JavaScript
 */
export function typedJavaScript(source: string, file: string): string {
  const parsed = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`);
  const writer = new Writer(source, parsed);
  writer.visit(parsed.program as unknown as Node);
  const written = writer.written();
  const left = parseSync(file.replace(/tsx?$/, 'jsx'), written, { lang: 'jsx' }).errors;
  if (left.length > 0)
    throw new Error(
      `${file} has syntax that is not written as JavaScript yet: ${left[0]?.message}\n${written}`,
    );
  return written;
}

class Writer {
  readonly #source: string;
  readonly #comments: readonly { readonly start: number; readonly end: number; readonly value: string }[];
  readonly #edits: Edit[] = [];
  /** The visited statement: comments are inserted before it. */
  #statement: Node | undefined;
  readonly #endOfImports: number;

  constructor(source: string, { program, comments }: ReturnType<typeof parseSync>) {
    this.#source = source;
    this.#comments = comments;
    this.#endOfImports = program.body.findLast(({ type }) => type === 'ImportDeclaration')?.end ?? 0;
  }

  /** The text with all edits; nested edits are already contained in the outer ones. */
  written(): string {
    let text = '';
    let at = 0;
    for (const edit of this.#edits.toSorted(
      (left, right) => left.start - right.start || left.end - right.end,
    )) {
      text += this.#source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.#source.slice(at);
  }

  visit(node: Node): void {
    const former = this.#statement;
    // The comment of an export goes before `export`.
    if (/Declaration$|Statement$/.test(node.type) && former?.['declaration'] !== node) this.#statement = node;
    if (this.#write(node)) for (const child of childrenOf(node)) this.visit(child);
    this.#statement = former;
  }

  /** @returns whether its children still have to be converted */
  #write(node: Node): boolean {
    switch (node.type) {
      case 'ImportDeclaration':
        this.#import(node);
        return false;
      case 'TSInterfaceDeclaration':
        this.#typedef('object', node, this.#members(node));
        return false;
      case 'TSTypeAliasDeclaration':
        this.#typedef(this.#type(node['typeAnnotation'] as Node), node, []);
        return false;
      case 'FunctionDeclaration':
        this.#function(node);
        return true;
      case 'VariableDeclaration':
        this.#variable(node);
        return true;
      case 'TSAsExpression':
        this.#cast(node);
        return true;
      case 'TSTypeAnnotation':
        this.#inline(node);
        return false;
      case 'TSTypeParameterInstantiation':
        this.#replace(node.start, node.end, '');
        return false;
      default:
        return true;
    }
  }

  #import({ start, end, importKind, specifiers, source, attributes }: Node): void {
    const all = specifiers as readonly Node[];
    const types = all.filter((one) => importKind === 'type' || one['importKind'] === 'type');
    if (types.length === 0) return;
    const from = `from ${this.#text(source as Node)}`;
    const named = (ones: readonly Node[]) =>
      ones.map((one) => this.#text(one).replace(/^type /, '')).join(', ');
    const values = all.filter((one) => !types.includes(one));
    if ((attributes as readonly unknown[]).length > 0 || all.some(({ type }) => type !== 'ImportSpecifier'))
      throw new Error(`Types are imported by their names alone: ${this.#source.slice(start, end)}`);
    // An empty line would separate the others.
    const after = values.length > 0 || end === this.#endOfImports ? end : end + 1;
    this.#replace(start, after, values.length > 0 ? `import { ${named(values)} } ${from};` : '');
    this.#replace(this.#endOfImports, this.#endOfImports, `\n/** @import { ${named(types)} } ${from} */`);
  }

  #members({ body }: Node): readonly string[] {
    return ((body as Node)['body'] as readonly Node[]).map((member) => {
      const name = this.#text(member['key'] as Node);
      const returns = member['returnType'] as Node | undefined;
      const type =
        member.type === 'TSMethodSignature' && returns
          ? `(${(member['params'] as readonly Node[]).map((one) => this.#text(one)).join(', ')}) => ${this.#annotated(returns)}`
          : this.#annotated(member['typeAnnotation'] as Node);
      const about = this.#commentBefore(member.start);
      // A tag would end the type's properties.
      const said =
        about === undefined ? '' : ` ${linesOf(about.value).join(' ').replaceAll('@throws', 'Throws')}`;
      return `@property {${type}} ${member['optional'] === true ? `[${name}]` : name}${said}`;
    });
  }

  #typedef(type: string, { id }: Node, members: readonly string[]): void {
    const statement = this.#statement as Node;
    const comment = this.#commentBefore(statement.start);
    const tag = `@typedef {${type}} ${this.#text(id as Node)}`;
    const lines = [...(comment === undefined ? [] : linesOf(comment.value)), tag, ...members];
    this.#replace(comment?.start ?? statement.start, statement.end, commentOf(lines));
  }

  #function({ params, returnType }: Node): void {
    const tags = (params as readonly Node[]).flatMap((param): readonly Tag[] => {
      const annotation = param['typeAnnotation'] as Node | null | undefined;
      if (!annotation) return [];
      const bare = param.type === 'Identifier' ? String(param['name']) : 'props';
      const isOptional = param['optional'] === true;
      const before = isOptional ? this.#source.lastIndexOf('?', annotation.start) : annotation.start;
      this.#replace(before, annotation.end, '');
      return [{ kind: 'param', type: this.#annotated(annotation), name: isOptional ? `[${bare}]` : bare }];
    });
    const returned = returnType as Node | null;
    if (returned) {
      this.#replace(returned.start, returned.end, '');
      tags.push({ kind: 'returns', type: this.#annotated(returned) });
    }
    this.#addTags(tags);
  }

  #variable({ declarations }: Node): void {
    const [{ id, init } = {} as Node] = declarations as readonly Node[];
    const annotation = (id as Node)['typeAnnotation'] as Node | null | undefined;
    const made = init as Node | null;
    const given = made?.['typeArguments'] as Node | null | undefined;
    if (annotation) {
      this.#replace(annotation.start, annotation.end, '');
      this.#addTags([{ kind: 'type', type: this.#annotated(annotation) }]);
    } else if (made?.type === 'NewExpression' && given)
      this.#addTags([{ kind: 'type', type: this.#text(made['callee'] as Node) + this.#text(given) }]);
  }

  #cast(node: Node): void {
    const expression = node['expression'] as Node;
    this.#replace(node.start, node.start, `/** @type {${this.#type(node['typeAnnotation'] as Node)}} */ (`);
    this.#replace(expression.end, node.end, ')');
  }

  /** Handles the rest: a parameter of a function expression, with its type before it, or such a function's result. */
  #inline(annotation: Node): void {
    if (this.#edits.some(({ start, end }) => start <= annotation.start && annotation.end <= end)) return;
    const [, name = ''] = /([\w$]+)\s*$/.exec(this.#source.slice(0, annotation.start)) ?? [];
    this.#replace(annotation.start, annotation.end, '');
    if (name === '') return;
    const start = annotation.start - name.length;
    this.#replace(start, start, `/** @type {${this.#annotated(annotation)}} */ `);
  }

  #addTags(tags: readonly Tag[]): void {
    if (tags.length === 0) return;
    const { start } = this.#statement as Node;
    const comment = this.#commentBefore(start);
    const lines = comment === undefined ? [] : [...linesOf(comment.value)];
    const written = tags.map(({ kind, type, name }) => {
      const told = lines.findIndex((line) => name !== undefined && line.startsWith(`@${kind} ${name} `));
      const [said = ''] = told < 0 ? [] : lines.splice(told, 1);
      const tag = [`@${kind} {${type}}`, ...(name === undefined ? [] : [name])].join(' ');
      return tag + said.slice(`@${kind} ${name}`.length);
    });
    const others = lines.findIndex((line) => line.startsWith('@'));
    lines.splice(others < 0 ? lines.length : others, 0, ...written);
    const text = commentOf(lines);
    if (comment === undefined) this.#replace(start, start, `${text}\n`);
    else this.#replace(comment.start, comment.end, text);
  }

  #commentBefore(start: number) {
    return this.#comments.find(
      ({ end, value }) =>
        value.startsWith('*') && end <= start && this.#source.slice(end, start).trim() === '',
    );
  }

  /** An annotation's type, after the colon. */
  #annotated(annotation: Node): string {
    return this.#type(annotation['typeAnnotation'] as Node);
  }

  #type(type: Node): string {
    return this.#text(type).replaceAll(/\s+/g, ' ');
  }

  #text({ start, end }: Node): string {
    return this.#source.slice(start, end);
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}

/** A block comment's text without its stars. */
function linesOf(comment: string): readonly string[] {
  const lines = comment.replace(/^\*/, '').split('\n');
  const said = lines.map((line) => line.replace(/^\s*\* ?/, '').trim()).join('\n');
  return said.trim().split('\n');
}

function commentOf(lines: readonly string[]): string {
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`;
}
