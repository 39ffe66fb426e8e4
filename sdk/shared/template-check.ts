import type { StorageKind } from './storage-kind.ts';
import { placeholdersIn } from './template.ts';

/**
 * The shape of a value in a template: a single value, such as a text; a value of unknown shape; values by name; or a list.
 * @public
 */
export type TemplateShape =
  | 'value'
  | 'any'
  | {
      readonly names: Readonly<Record<string, TemplateShape>>;
      /** False if one of the names must follow, since the object as a whole has no value. */
      readonly isWhole?: false;
    }
  | { readonly each: TemplateShape };

/** A placeholder without a value, or one that is not closed. @public */
export interface TemplateProblem {
  /** The placeholder as written; if it is not closed, the rest of its line, at most 40 characters. */
  readonly text: string;
  /** The line of the template in which it begins, from 1. */
  readonly line: number;
  /** `unknown`: there is no such name. `deep`: the value has no parts. `whole`: a further name is needed. `open`: it is not closed. */
  readonly kind: 'unknown' | 'deep' | 'whole' | 'open';
  /** The names before the wrong one: `row`, `previous.Price`. Empty for the first name. */
  readonly below: string;
  /** The wrong name; empty if the placeholder is not closed. */
  readonly name: string;
  /** An existing name that is similar. */
  readonly meant: string | undefined;
}

/** The most characters shown of a placeholder that is not closed, since its intended end is not known. */
const mostShown = 40;
/** The beginning of a placeholder and the rest of its line, as far as it could belong to it. */
const begun = /\{\{(?:(?!\{\{)[^\n]){0,41}/g;

/** The placeholders of a template that are not closed or have no value, in order. @public */
export function templateProblems(template: string, shape: TemplateShape): readonly TemplateProblem[] {
  const lineAt = lineCounter(template);
  const found: TemplateProblem[] = [];
  /** Checks the text between two placeholders, in which none may begin. */
  const lookBetween = (start: number, end: number) => {
    for (const { 0: text, index } of template.slice(start, end).matchAll(begun)) {
      found.push({
        text: text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text.trimEnd(),
        line: lineAt(start + index),
        kind: 'open',
        below: '',
        name: '',
        meant: undefined,
      });
    }
  };
  let end = 0;
  for (const { text, path, at } of placeholdersIn(template)) {
    lookBetween(end, at);
    end = at + text.length;
    const wrong = problemOf(path.length === 0 ? [''] : path, shape);
    if (wrong !== undefined) found.push({ text, line: lineAt(at), ...wrong });
  }
  lookBetween(end, template.length);
  return found;
}

/** Returns the line of each position. Positions must be ascending, so that a long text is read only once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let end = text.indexOf('\n');
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
}

/** The first placeholder of a template that is not closed. @public */
export function openPlaceholder(template: string): TemplateProblem | undefined {
  // Most texts have none; with the shape `any` only unclosed placeholders are found.
  return template.includes('{{') ? templateProblems(template, 'any')[0] : undefined;
}

function problemOf(
  path: readonly string[],
  shape: TemplateShape,
): Omit<TemplateProblem, 'text' | 'line'> | undefined {
  let here = shape;
  for (const [depth, name] of path.entries()) {
    if (here === 'any') return undefined;
    const below = path.slice(0, depth).join('.');
    if (here === 'value') return { kind: 'deep', below, name, meant: undefined };
    if ('each' in here) {
      if (!/^\d+$/.test(name)) return { kind: 'unknown', below, name, meant: undefined };
      here = here.each;
      continue;
    }
    const next = Object.hasOwn(here.names, name) ? here.names[name] : undefined;
    if (next === undefined) {
      const meant = Object.keys(here.names).find((known) => plain(known) === plain(name));
      return { kind: 'unknown', below, name, meant };
    }
    here = next;
  }
  const isWhole = typeof here === 'string' || 'each' in here || here.isWhole !== false;
  return isWhole ? undefined : { kind: 'whole', below: '', name: path.join('.'), meant: undefined };
}

/** The shape of `{{env}}`: values by names of variables, one of which must be named. @public */
export function variablesShape(names: readonly string[]): TemplateShape {
  return { names: Object.fromEntries(names.map((name) => [name, 'value' as const])), isWhole: false };
}

/** The shapes of cells by column title: a cell is a single value, unless its kind has parts or it is computed. @public */
export function cellShapes(
  columns: readonly { readonly title: string; readonly storage: StorageKind }[],
): Readonly<Record<string, TemplateShape>> {
  return Object.fromEntries(
    columns.map(({ title, storage }) => [
      title,
      storage === 'json' || storage === 'virtual' ? ('any' as const) : ('value' as const),
    ]),
  );
}

/** A name without the differences that people most often make. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
