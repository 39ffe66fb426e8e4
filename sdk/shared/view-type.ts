import type { SettingsSchema } from '@trellis/core';

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
}

/** Names the pure part of a view type. @public */
export function defineViewType<const Type extends ViewTypeDefinition>(definition: Type): Type {
  return definition;
}
