import type { StorageKind } from './storage-kind.ts';
import { placeholdersIn } from './template.ts';

/**
 * What stands at a place of the values of a template: one value, such as a text; something of which nothing is known beforehand; values
 * by names; or a list of the same.
 * @public
 */
export type TemplateShape =
  | 'value'
  | 'any'
  | {
      readonly names: Readonly<Record<string, TemplateShape>>;
      /** Whether one of the names must follow, since all of them together stand for nothing. */
      readonly isWhole?: false;
    }
  | { readonly each: TemplateShape };

/** A placeholder behind which nothing stands, or that is not closed. @public */
export interface TemplateProblem {
  /** As it is written; of one that is not closed, its line from there on, 40 characters at the most. */
  readonly text: string;
  /** The line of the template in which it begins, from 1 on. */
  readonly line: number;
  /** `unknown`: nothing is called so. `deep`: nothing stands below. `whole`: it goes on with a name. `open`: it is not closed. */
  readonly kind: 'unknown' | 'deep' | 'whole' | 'open';
  /** The words before the one that is wrong: `row`, `previous.Price`. Empty for the first word. */
  readonly below: string;
  /** The word that is wrong; empty in one that is not closed. */
  readonly name: string;
  /** A name there that reads nearly the same. */
  readonly meant: string | undefined;
}

/** Characters of a placeholder that is not closed, at the most: where it was meant to end is not known. */
const mostShown = 40;
/** The beginning of a placeholder with what follows it in its line, as far as it can be meant. */
const begun = /\{\{(?:(?!\{\{)[^\n]){0,41}/g;

/** The placeholders of a template that are not closed, or behind which nothing stands, in their order. @public */
export function templateProblems(template: string, shape: TemplateShape): readonly TemplateProblem[] {
  const lineAt = lineCounter(template);
  const found: TemplateProblem[] = [];
  /** What stands between two placeholders is text, in which none may begin. */
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

/** Gives the line of each place; places come in their order, so that a long text is gone through once. */
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
  // Most texts have none, and where all may be named nothing else is wrong.
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

/** What stands behind `{{env}}`: values by the names of variables, of which one must be named. @public */
export function variablesShape(names: readonly string[]): TemplateShape {
  return { names: Object.fromEntries(names.map((name) => [name, 'value' as const])), isWhole: false };
}

/** What stands behind the titles of columns: a cell is one value, unless its kind holds parts or is worked out. @public */
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

/** A name without what people most often write in another way. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
