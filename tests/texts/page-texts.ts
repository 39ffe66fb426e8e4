import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A text of the page: the source's text, which is the key in every language. */
export interface PageText {
  readonly text: string;
  /** Whether it has a number and thus plural forms. */
  readonly counts: boolean;
  /** The English text for one thing, of a text with a number. */
  readonly one?: string;
  /** The file that contains it. */
  readonly file: string;
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Fields of registered items, and of tables of words, that contain texts. */
const textFields = new Set([
  'busyLabel',
  'description',
  'emptyText',
  'group',
  'help',
  'hint',
  'label',
  'listLabel',
  'menuLabel',
  'message',
  'meaning',
  'placeholder',
  'submitLabel',
  'text',
  'title',
]);

/** A sentence, or its beginning: only sentences start with a capital or a digit and contain a space and words. */
const sentence = /^(?=[^\n]*[a-z]{2})[A-Z\d{“"'][^\n]* [^\n]*$/;

/** Tables of words for states. */
const tableOfWords = /(words|labels)$/i;

/** Documentation and data, which the page does not show as texts. */
const withoutTexts = /\/(testing|build|fixtures)\/|-test-kit|hooks-catalogue|default-columns/;

/** The texts that sources show: arguments of `t`, fields for texts, and every sentence except those of errors for programmers. */
export function textsOfSources(folders: readonly string[]): readonly PageText[] {
  const found = new Map<string, PageText>();
  for (const file of folders.flatMap(sourcesBelow)) {
    if (withoutTexts.test(file)) continue;
    visit(parse(file), (text, plural = { counts: false }) => {
      if (!/[a-zA-Z]/.test(text) || (!plural.counts && found.has(text))) return;
      found.set(text, { text, ...plural, file });
    });
  }
  return [...found.values()];
}

/** An error that a server's answer may name. */
export interface ErrorText {
  readonly code: string;
  readonly message: string;
  /** What its text may fill in: `{{title}}`. */
  readonly params: readonly string[];
}

/** The errors that sources define with `defineErrors`. */
export function errorsOfSources(folders: readonly string[]): readonly ErrorText[] {
  const found: ErrorText[] = [];
  const search = (node: Node): void => {
    if (node.type === 'CallExpression' && nameOf(node.callee as Node) === 'defineErrors') {
      const [definitions] = node.arguments as readonly Node[];
      for (const field of fieldsOf(definitions)) found.push(errorOf(field));
    }
    for (const child of childrenOf(node)) search(child);
  };
  for (const file of folders.flatMap(sourcesBelow)) {
    if (readFileSync(file, 'utf8').includes('defineErrors(')) search(parse(file));
  }
  return found;
}

/** The codes of errors that sources make by hand, and of answers that they write: those of a catalogue are found by `errorsOfSources`. */
export function codesByHand(folders: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const search = (node: Node): void => {
    for (const code of codesOf(node)) found.add(code);
    for (const child of childrenOf(node)) search(child);
  };
  for (const file of folders.flatMap(sourcesBelow)) {
    if (withoutTexts.test(file)) continue;
    search(parse(file));
  }
  return [...found];
}

/** The sentences that sources tell the audit. */
export function auditTextsOfSources(folders: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const search = (node: Node): void => {
    const [text] = (node.arguments ?? []) as readonly Node[];
    if (node.type === 'CallExpression' && nameOf(node.callee as Node) === 'auditText')
      found.add(literalsOf(text).join(''));
    for (const child of childrenOf(node)) search(child);
  };
  for (const file of folders.flatMap(sourcesBelow)) {
    if (readFileSync(file, 'utf8').includes('auditText(')) search(parse(file));
  }
  return [...found];
}

/** `new TrellisError('CODE', …)`, `new Veto('CODE', …)` and `{ code: 'CODE', msg: … }`. */
function codesOf(node: Node): readonly string[] {
  const isError =
    node.type === 'NewExpression' && ['TrellisError', 'Veto'].includes(nameOf(node.callee as Node));
  const isAnswer = hasField(node, 'msg') || hasField(node, 'message');
  const code = isError
    ? (node.arguments as readonly Node[])[0]
    : isAnswer
      ? fieldOf(node, 'code')
      : undefined;
  return literalsOf(code).filter((text) => /^[A-Z][A-Z\d_]+$/.test(text));
}

function errorOf(field: Node): ErrorText {
  const text = literalsOf(fieldOf(field.value as Node, 'message')).join('');
  return {
    code: nameOf(field.key as Node),
    message: text,
    params: [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => `{{${name}}}`),
  };
}

function parse(file: string): Node {
  return parseAst(readFileSync(file, 'utf8'), {
    lang: file.endsWith('.tsx') ? 'tsx' : 'ts',
  }) as unknown as Node;
}

const fieldsOf = (node: Node | undefined) => (node?.properties ?? []) as readonly Node[];

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((each): each is Node => typeof each === 'object' && each !== null && 'type' in each);
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.(test|stories|d))\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

type Add = (text: string, plural?: Pick<PageText, 'counts' | 'one'>) => void;

function visit(node: Node, add: Add): void {
  if (isForProgrammers(node)) return;
  if (isTranslation(node)) {
    const [key, values] = node.arguments as readonly Node[];
    const [one] = literalsOf(fieldOf(values, 'one'));
    const plural = { counts: hasField(values, 'count'), ...(one !== undefined && { one }) };
    for (const text of literalsOf(key)) add(text, plural);
  } else if (node.type === 'Property' || node.type === 'JSXAttribute') {
    const name = nameOf((node.key ?? node.name) as Node);
    if (textFields.has(name)) for (const text of literalsOf(node.value as Node)) add(text);
    if (name === 'one' || name === 'examples') return;
  } else if (node.type === 'NewExpression' && nameOf(node.callee as Node) === 'RangeError') {
    for (const text of literalsOf((node.arguments as readonly Node[])[0])) add(text);
  } else if (node.type === 'VariableDeclarator' && tableOfWords.test(nameOf(node.id as Node))) {
    for (const text of valuesOf(node.init as Node)) add(text);
  } else if (isCategory(node)) {
    for (const text of literalsOf(node.right as Node)) add(text);
  } else if (node.type === 'Literal' && typeof node.value === 'string' && sentence.test(node.value)) {
    add(node.value);
  }
  for (const child of childrenOf(node)) visit(child, add);
}

/** Types, and errors that report a mistake in code. */
function isForProgrammers(node: Node): boolean {
  // A filter operator refuses its value with a `RangeError`, whose text people read.
  if (node.type === 'NewExpression') return /(?<!Range)Error$/.test(nameOf(node.callee as Node));
  return node.type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)/.test(node.type);
}

/** The default category of an item without one. */
function isCategory(node: Node): boolean {
  const left = node.left as Node | undefined;
  return node.type === 'LogicalExpression' && left?.computed !== true && nameOf(left) === 'category';
}

function isTranslation(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  return ['t', 'translate', 'tell'].includes(nameOf(node.callee as Node));
}

function nameOf(node: Node | undefined): string {
  if (node?.type === 'MemberExpression') return nameOf(node.property as Node);
  return typeof node?.name === 'string' ? node.name : '';
}

function fieldOf(node: Node | undefined, name: string): Node | undefined {
  return fieldsOf(node).find((field) => nameOf(field.key as Node) === name)?.value as Node | undefined;
}

function hasField(node: Node | undefined, name: string): boolean {
  return fieldOf(node, name) !== undefined;
}

/** The texts in an object. */
function valuesOf(node: Node | undefined): readonly string[] {
  if (node?.type.startsWith('TS') === true) return valuesOf(node.expression as Node);
  return fieldsOf(node).flatMap((field) => literalsOf(field.value as Node));
}

/** The possible texts of an expression. */
function literalsOf(node: Node | undefined): readonly string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node?.type === 'ConditionalExpression') {
    return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)];
  }
  if (node?.type === 'LogicalExpression') {
    return [...literalsOf(node.left as Node), ...literalsOf(node.right as Node)];
  }
  return [];
}
