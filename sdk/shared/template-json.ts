import type { RequestTemplate } from './request-template.ts';

/** Where a template whose filled text is to be JSON cannot become any. @public */
export interface JsonTemplateProblem {
  /** The line of the template, from 1 on. */
  readonly line: number;
  /** What stands there and does not belong there; empty where the template ends too early. */
  readonly text: string;
}

/**
 * The parts of JSON, with placeholders, which may stand for a value, a name, or a part of a number. A text is whole or no part at all: what is no
 * part is one character.
 */
const part =
  /\s*(?:(?<text>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<value>(?:\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|[-+.\w])+)|(?<mark>[{}[\],:])|(?<end>$)|(?<other>[^]))/guy;
const plainValue = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** The first place at which a template becomes no JSON, whatever its placeholders stand for; undefined where there is none. @public */
export function jsonTemplateProblem(template: string): JsonTemplateProblem | undefined {
  /** The marks that close what is open. */
  const open: string[] = [];
  let wanted: 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'more' = 'value';
  let isOver = false;
  for (const { 0: whole, index, groups = {} } of template.matchAll(part)) {
    const { text, value, mark, end } = groups;
    const wantsValue: boolean = !isOver && (wanted === 'value' || wanted === 'value or end');
    const wantsName: boolean = !isOver && (wanted === 'name' || wanted === 'name or end');
    const said = whole.trimStart();
    let fits = false;
    if (end !== undefined) {
      if (isOver) return undefined;
    } else if (text !== undefined || value !== undefined) {
      const isPlaceholder = value?.includes('{{') === true;
      fits = wantsValue
        ? text !== undefined || isPlaceholder || plainValue.test(value ?? '')
        : wantsName && (text !== undefined || isPlaceholder);
      wanted = wantsName ? 'colon' : 'more';
    } else if (mark === '{' || mark === '[') {
      fits = wantsValue;
      open.push(mark === '{' ? '}' : ']');
      wanted = mark === '{' ? 'name or end' : 'value or end';
    } else if (mark === '}' || mark === ']') {
      fits = open.pop() === mark && (wanted === 'more' || wanted.endsWith('or end'));
      wanted = 'more';
    } else if (mark === ',') {
      fits = wanted === 'more' && open.length > 0;
      wanted = open.at(-1) === '}' ? 'name' : 'value';
    } else if (mark === ':') {
      fits = wanted === 'colon';
      wanted = 'value';
    }
    if (!fits) {
      const at = index + whole.length - said.length;
      return { line: template.slice(0, at).split('\n').length, text: said };
    }
    isOver = wanted === 'more' && open.length === 0;
  }
  return undefined;
}

/** Whether a template says by its first character that it becomes an object or a list of JSON. @public */
export function beginsAsJson(template: string): boolean {
  return /^\s*(?:\{(?!\{)|\[)/.test(template);
}

/**
 * What is wrong with the body of a request that is to be JSON: by the header of its type, and where that is not set, by how it begins.
 * @public
 */
export function requestBodyProblem({
  method,
  headers,
  body,
}: Pick<RequestTemplate, 'method' | 'headers' | 'body'>): JsonTemplateProblem | undefined {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  const type = headers.find(({ name, enabled }) => enabled && name.trim().toLowerCase() === 'content-type');
  const isJson = type === undefined ? beginsAsJson(body) : /^[^{;]*[/+]json\b/i.test(type.value);
  return isJson && body.trim() !== '' ? jsonTemplateProblem(body) : undefined;
}
