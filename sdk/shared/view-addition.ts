import type { RegistryView, SettingsSchema } from '@trellis/core';
import type { MovedConditions } from './moved-conditions.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * What a plugin keeps with views of any type, beside what the type itself keeps: in the view's options under `additions`, by its id. It is
 * saved, copied, locked and told to other browsers with the view.
 * @public
 */
export interface ViewAddition {
  /** The plugin's id, or begins with it: `row-colors`. */
  readonly id: string;
  /** What is kept: an object, checked whenever it changes. Secrets cannot be kept here: who sees a view sees its options. */
  readonly options: SettingsSchema;
  /**
   * What is told of it to whoever does not see all columns of the table, such as visitors of a link; undefined for nothing. It must name
   * no column that is not seen, and no value of one; to visitors, no row that the view may not show.
   */
  told(kept: Options, isSeen: (columnId: string) => boolean, to: ToldTo): Options | undefined;
  /**
   * What is kept from now on, since values of a column of the table are others, such as an option of a list that was renamed: conditions
   * follow by `moved.filters`. Called before the change of the column is saved, which it goes along with; it must be quick. Left out: it
   * stays as it is.
   */
  moved?(kept: Options, moved: MovedConditions): Options;
}

/** Whom a view addition is told to. @public */
export interface ToldTo {
  /** Whether they are in no project and came by a link. */
  readonly isVisitor: boolean;
}

/** Names a view addition. @public */
export function defineViewAddition<const Addition extends ViewAddition>(definition: Addition): Addition {
  return definition;
}

/** The options of a view, taken apart. @public */
export interface PartedOptions {
  /** Those of the view's type. */
  readonly own: Options;
  /** Those of view additions, by their ids. */
  readonly additions: Options;
}

/** Takes the options of a view apart into those of its type and those of view additions. @public */
export function partedOptions({ additions, ...own }: Options): PartedOptions {
  return { own, additions: isOptions(additions) ? additions : {} };
}

/** Puts the options of a view together again. @public */
export function joinedOptions({ own, additions }: PartedOptions): Options {
  return Object.keys(additions).length === 0 ? own : { ...own, additions };
}

/** Of view additions what may be told to whoever sees these columns alone; nothing of one whose plugin is off, since nobody can tell what it names. @public */
export function toldAdditions(
  additions: Options,
  known: RegistryView<ViewAddition>,
  isSeen: (columnId: string) => boolean,
  to: ToldTo,
): Options {
  return Object.fromEntries(
    Object.entries(additions).flatMap(([id, kept]) => {
      const told = isOptions(kept) ? known.get(id)?.told(kept, isSeen, to) : undefined;
      return told === undefined ? [] : [[id, told] as const];
    }),
  );
}

function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
