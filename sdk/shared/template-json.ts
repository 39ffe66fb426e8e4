import type { RequestTemplate } from './request-template.ts';

/** The place at which a template for JSON cannot become JSON. @public */
export interface JsonTemplateProblem {
  /** The line of the template, from 1. */
  readonly line: number;
  /** The unexpected text; empty if the template ends too early. */
  readonly text: string;
}

/**
 * The tokens of JSON, and placeholders, which may replace a value, a name, or a part of a number. An incomplete text is no token;
 * then one character is.
 */
const part =
  /\s*(?:(?<text>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<value>(?:\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|[-+.\w])+)|(?<mark>[{}[\],:])|(?<end>$)|(?<other>[^]))/gy;
const plainValue = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** The first place at which a template cannot become JSON, whatever the values of its placeholders; undefined if there is none. @public */
export function jsonTemplateProblem(template: string): JsonTemplateProblem | undefined {
  /** The closing marks of everything that is open. */
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

/** Whether the first character of a template shows that it becomes a JSON object or list. @public */
export function beginsAsJson(template: string): boolean {
  return /^\s*(?:\{(?!\{)|\[)/.test(template);
}

/**
 * The problem with the body of a request that must be JSON, according to its content type or, without one, to how it begins.
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
