import type { ComponentType } from 'react';
import type {
  ColumnEntity,
  ProjectEntity,
  TableEntity,
  ViewEntity,
  ViewTypeDefinition,
} from '../../shared/index.ts';
import type { Translate } from '../context.ts';
import type { WebColumnType } from './column-types.ts';
import type { SlotItem } from './shell.ts';

/** What a view and the items of its toolbar are drawn from. @public */
export interface ViewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly readOnly: boolean;
}

/**
 * What a view is arranged by; the toolbar offers the buttons for it. `groups` are kept in the view's option of that name, as `SortKey`s;
 * views with `colors` draw their rows in the colours of `useRowColors`.
 * @public
 */
export type ViewPart = 'filters' | 'sorts' | 'fields' | 'groups' | 'colors';

/** What views are arranged by where their type says nothing about it: groups are drawn by the view itself. @public */
export const usualParts: readonly ViewPart[] = ['filters', 'sorts', 'fields'];

/** A kind of view as the browser draws it. @public */
export interface WebViewType extends ViewTypeDefinition {
  readonly icon: string;
  readonly View: ComponentType<ViewProps>;
  /** What its views can be arranged by. Default: `usualParts`. */
  readonly uses?: readonly ViewPart[];
  /** Edits the view's options, with a `Field` of `/web/ui` around each control, laid out below each other. Default: a form made of the schema `options`. */
  readonly SettingsPanel?: ComponentType<ViewSettingsProps>;
  /** Edits what the view keeps of one column, from the list of fields. Default: a form made of the schema `columnOptions`. */
  readonly ColumnSettingsPanel?: ComponentType<ViewColumnSettingsProps>;
  /** What is offered of the link of a view beside what all links have, such as answers that it fills in. */
  readonly LinkPanel?: ComponentType<ViewLinkProps>;
  /** False for a type whose views are not made by hand. Default true. */
  readonly creatable?: boolean;
  /**
   * The columns that a view of the type cannot be without, where the table has none that would do: people who may add columns are asked
   * whether they are made together with the view. Undefined where nothing is missing. The rules of the type (`willSave`) must take them
   * for a view that names none.
   *
   * @param types what columns can be; types of plugins that are off are not among them
   */
  missingColumns?(
    table: TableEntity,
    { t, types }: { readonly t: Translate; readonly types: readonly WebColumnType[] },
  ): MissingColumns | undefined;
}

/** What is made for a view that the table has no columns for, in the language of the page. @public */
export interface MissingColumns {
  /** Says what the view needs, and what would be made. */
  readonly message: string;
  /** As bodies of new columns. A title that is taken gets a number. */
  readonly columns: readonly {
    readonly title: string;
    readonly uidt: string;
    readonly colOptions?: Readonly<Record<string, unknown>>;
  }[];
}

/** What the settings panel of a view type is given; what it changes is saved with the view at once. @public */
export interface ViewSettingsProps extends ViewProps {
  /** The view's options, defaults filled in. */
  readonly settings: Readonly<Record<string, unknown>>;
  onChange(this: void, settings: Readonly<Record<string, unknown>>): void;
}

/** What the panel for one column of a view is given; what it changes is saved with the view's column at once. @public */
export interface ViewColumnSettingsProps extends ViewSettingsProps {
  readonly column: ColumnEntity;
}

/** What a view type is given to offer more of a link. @public */
export interface ViewLinkProps extends ViewProps {
  /** The link itself. */
  readonly address: string;
}

/** An item of the toolbar over a view. @public */
export interface ToolbarItem extends SlotItem<ViewProps> {
  /** Drawn only over views whose type is arranged by it. */
  readonly part?: ViewPart;
  readonly slot: 'view-toolbar-start' | 'view-toolbar-end';
}
