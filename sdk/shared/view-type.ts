import type { SettingsSchema } from '@trellis/core';
import type { MovedConditions } from './moved-conditions.ts';
import type { FilterNode } from './query-tree.ts';

/**
 * The pure part of a view type, imported by both halves so that what its views keep cannot drift.
 *
 * A view keeps *options* (one object) and *column options* (one object for each column, beside whether, where and how wide it
 * is shown). Both are checked against these schemas and completed with their defaults whenever they are saved, and travel as
 * `meta` of the view and of the view's column. The server's half may have rules on top (`ViewType.willSave`); the web half
 * brings the panels, or leaves them to forms that the page makes of the schemas.
 *
 * How kinds of views use it:
 *
 * - **Form**: its heading, message and address as options; `label`, `help` and `required` as column options. Its rules show
 *   every column that the table requires, and refuse to hide one.
 * - **Gallery**: the cover's column id as an option. Its rules take the first attachment column where none is chosen.
 * - **Kanban**: the stacked column's id, and the stacks in their order, as options. Its rules refuse a table without a select
 *   column, take the first one where none is chosen, and add a stack for each choice that has none yet.
 * - **Calendar**: a list of ranges, each with the ids of its columns from and to, as an option; a colour as a column option.
 *   Its rules refuse columns that hold no dates.
 *
 * A type that names a column in its options follows it with the hook `columns.willDelete`, and draws what is left when a named
 * column has gone or has another type since.
 * @public
 */
export interface ViewTypeDefinition {
  /** Stored in the database as the view's type, so it never changes: `grid`. */
  readonly id: string;
  readonly label: string;
  /** What a view keeps. Without it a view keeps any object, unchecked. Secrets cannot be kept here: who sees a view sees its options. */
  readonly options?: SettingsSchema;
  /** What a view keeps of each column. Without it nothing is kept. */
  readonly columnOptions?: SettingsSchema;
  /**
   * What a view keeps of a column from now on, since values of a column of the table are others, such as an option of a list that was renamed:
   * conditions follow by `moved.filters`. Called for each column before the change is saved, which it goes along with; it must be quick. Left
   * out: it stays as it is.
   */
  movedColumnOptions?(
    options: Readonly<Record<string, unknown>>,
    moved: MovedConditions,
  ): Readonly<Record<string, unknown>>;
  /**
   * The names of options that say how rows look and nothing of which they are, such as their height: a person sets them for themselves alone
   * where the view is locked or not theirs to arrange. The web half draws what `useShownViewOptions` says.
   */
  readonly ownOptions?: readonly string[];
  /**
   * The permission to set the options of views and of their columns; `viewArrange` where left out, which editors have. For a type whose options
   * do more than show a table, such as sending mail. Who lacks it has no personal views of the type either, unless they may make any.
   */
  readonly optionsPermission?: string;
  /** What strangers may do with a view of the type by its link. Without it such views cannot be shared. */
  readonly sharing?: ViewSharing;
}

/** How views of a type are shared with whoever has their link. @public */
export interface ViewSharing {
  /** `read`: the rows and columns that the view shows; `submit`: new rows with the columns that it shows, and no rows are read. */
  readonly visitors: 'read' | 'submit';
  /** The word of the link: `form` for `/nc/form/<uuid>`. */
  readonly word: 'view' | 'form' | 'gallery' | 'kanban' | 'calendar';
  /** The ids of columns that the view needs beside those that it shows, such as the one of a kanban's stacks, given its options. */
  needs?(options: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * Whether visitors know of a column that the view shows, given what the view keeps of it: to them, others are as columns that it does not show,
   * and what they send of those is dropped. They know of all where left out.
   */
  isForVisitors?(columnOptions: Readonly<Record<string, unknown>>): boolean;
  /**
   * The ids of columns by whose values the view reads its rows in parts, as a kanban reads its stacks and a calendar the days in sight:
   * conditions on them are asked by the view itself, also where the link allows no searches.
   */
  readsBy?(options: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * What the view asks of its rows beside its filters, as a kanban does that hides stacks: for visitors, rows that do not meet it are not there.
   *
   * @param metaOf what is kept of a column, such as the options of a select
   */
  conditions?(
    options: Readonly<Record<string, unknown>>,
    metaOf: (columnId: string) => Readonly<Record<string, unknown>> | undefined,
  ): readonly FilterNode[];
  /**
   * Which options of lists the view hides, as a kanban that hides stacks: strangers are told nothing of them, neither with their columns nor
   * with the view. Which rows they see is what `conditions` says.
   *
   * @param options what strangers are told of the view otherwise
   */
  withoutHidden?(options: Readonly<Record<string, unknown>>): {
    readonly hiddenIds: readonly string[];
    /** The options of the view without those. */
    readonly options: Readonly<Record<string, unknown>>;
  };
  /**
   * What strangers are told of the view's options; all that its schema declares where left out, and never others. Addresses of people are
   * none of it.
   *
   * @param isSeen whether the visitor sees a column
   */
  publicOptions?(
    options: Readonly<Record<string, unknown>>,
    isSeen: (columnId: string) => boolean,
  ): Readonly<Record<string, unknown>>;
  /**
   * What strangers are told of what the view keeps of a column that they see; all that its schema declares where left out, and never others.
   * Values and columns that they are not shown are none of it.
   *
   * @param isSeen whether the visitor sees a column
   */
  publicColumnOptions?(
    options: Readonly<Record<string, unknown>>,
    isSeen: (columnId: string) => boolean,
  ): Readonly<Record<string, unknown>>;
  /** Whether it must be known who sends a row again, given the view's options. A browser without an account is given a cookie then. */
  knowsSenders?(options: Readonly<Record<string, unknown>>): boolean;
}

/** Names the pure part of a view type. @public */
export function defineViewType<const Type extends ViewTypeDefinition>(definition: Type): Type {
  return definition;
}
