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

/** A placeholder behind which nothing stands. @public */
export interface TemplateProblem {
  /** As it is written. */
  readonly text: string;
  /** The line of the template in which it begins, from 1 on. */
  readonly line: number;
  /** `unknown`: nothing is called so. `deep`: nothing stands below. `whole`: it goes on with a name. */
  readonly kind: 'unknown' | 'deep' | 'whole';
  /** The words before the one that is wrong: `row`, `previous.Price`. Empty for the first word. */
  readonly below: string;
  /** The word that is wrong. */
  readonly name: string;
  /** A name there that reads nearly the same. */
  readonly meant: string | undefined;
}

/** The placeholders of a template behind which nothing stands, in their order. @public */
export function templateProblems(template: string, shape: TemplateShape): readonly TemplateProblem[] {
  return placeholdersIn(template).flatMap(({ text, path, at }) => {
    const wrong = problemOf(path.length === 0 ? [''] : path, shape);
    if (wrong === undefined) return [];
    return [{ text, line: template.slice(0, at).split('\n').length, ...wrong }];
  });
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
