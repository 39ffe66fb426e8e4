import type { RegistryView, SettingsSchema } from '@trellis/core';
import type { MovedConditions } from './moved-conditions.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Options that a plugin adds to views of any type, in addition to the type's own. They are in the view's options under
 * `additions`, by the addition's id, and are saved, copied, locked and sent to other browsers with the view.
 * @public
 */
export interface ViewAddition {
  /** The plugin's id, or a text that begins with it: `row-colors`. */
  readonly id: string;
  /**
   * The schema of the options, an object that is checked whenever it changes. It cannot contain secrets: everybody who sees a
   * view sees its options.
   */
  readonly options: SettingsSchema;
  /**
   * The options for callers who do not see all columns of the table, such as visitors of a link; undefined for none. They must
   * not name a hidden column or its values and, for visitors, no row that the view does not show.
   */
  told(kept: Options, isSeen: (columnId: string) => boolean, to: ToldTo): Options | undefined;
  /**
   * The options after values of a column of the table have changed, such as a renamed option; use `moved.filters` for conditions.
   * Called before the change of the column is saved, in the same transaction; it must be quick. Without it the options stay as
   * they are.
   */
  moved?(kept: Options, moved: MovedConditions): Options;
}

/** The caller who gets the options of a view addition. @public */
export interface ToldTo {
  /** Whether it is a visitor of a link, without a membership in any project. */
  readonly isVisitor: boolean;
}

/** Names a view addition. @public */
export function defineViewAddition<const Addition extends ViewAddition>(definition: Addition): Addition {
  return definition;
}

/** The options of a view, split by owner. @public */
export interface PartedOptions {
  /** Those of the view's type. */
  readonly own: Options;
  /** Those of view additions, by their ids. */
  readonly additions: Options;
}

/** Splits the options of a view into those of its type and those of view additions. @public */
export function partedOptions({ additions, ...own }: Options): PartedOptions {
  return { own, additions: isOptions(additions) ? additions : {} };
}

/** Joins split options of a view again. @public */
export function joinedOptions({ own, additions }: PartedOptions): Options {
  return Object.keys(additions).length === 0 ? own : { ...own, additions };
}

/**
 * The options of view additions for a caller who sees only these columns. Options of an addition whose plugin is off are left
 * out, since nobody can tell what they name. @public
 */
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
