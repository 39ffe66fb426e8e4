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

/** The props of a view and its toolbar's items. @public */
export interface ViewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly readOnly: boolean;
}

/**
 * What can be arranged in a view; the toolbar offers buttons for it. `groups` are stored in the view's option of that name, as
 * `SortKey`s; views with `colors` draw their rows in the colours of `useRowColors`.
 * @public
 */
export type ViewPart = 'filters' | 'sorts' | 'fields' | 'groups' | 'colors';

/** The default parts of a view type: groups are drawn by the view itself. @public */
export const usualParts: readonly ViewPart[] = ['filters', 'sorts', 'fields'];

/** A view type in the browser. @public */
export interface WebViewType extends ViewTypeDefinition {
  readonly icon: string;
  readonly View: ComponentType<ViewProps>;
  /** The parts that can be arranged. Default: `usualParts`. */
  readonly uses?: readonly ViewPart[];
  /**
   * Edits the view's options, with a `Field` of `/web/ui` around each control, one below the other. Default: a form for the schema
   * `options`.
   */
  readonly SettingsPanel?: ComponentType<ViewSettingsProps>;
  /** Edits the view's options for one column, from the list of fields. Default: a form for the schema `columnOptions`. */
  readonly ColumnSettingsPanel?: ComponentType<ViewColumnSettingsProps>;
  /** Additional controls for the link of a view, such as answers to fill in. */
  readonly LinkPanel?: ComponentType<ViewLinkProps>;
  /** False for a type whose views people cannot create. Default true. */
  readonly creatable?: boolean;
  /**
   * The columns that a view of the type requires and the table lacks: people who may add columns are asked whether to create them
   * with the view. Undefined if nothing is missing. The rules of the type (`willSave`) must use them for a view that names none.
   *
   * @param types the available column types, without those of plugins that are off
   */
  missingColumns?(
    table: TableEntity,
    { t, types }: { readonly t: Translate; readonly types: readonly WebColumnType[] },
  ): MissingColumns | undefined;
}

/** Columns to create with a view, with titles in the language of the page. @public */
export interface MissingColumns {
  /** Explains what the view needs and what would be created. */
  readonly message: string;
  /** As bodies of new columns. A title that exists gets a number. */
  readonly columns: readonly {
    readonly title: string;
    readonly uidt: string;
    readonly colOptions?: Readonly<Record<string, unknown>>;
  }[];
}

/** The props of a view type's settings panel; changes are saved at once. @public */
export interface ViewSettingsProps extends ViewProps {
  /** The view's options, with defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  onChange(this: void, settings: Readonly<Record<string, unknown>>): void;
}

/** The props of the panel for one column of a view; changes are saved at once. @public */
export interface ViewColumnSettingsProps extends ViewSettingsProps {
  readonly column: ColumnEntity;
}

/** The props of a view type's link panel. @public */
export interface ViewLinkProps extends ViewProps {
  /** The link itself. */
  readonly address: string;
}

/** An item of the toolbar over a view. @public */
export interface ToolbarItem extends SlotItem<ViewProps> {
  /** Only drawn over views whose type has this part. */
  readonly part?: ViewPart;
  readonly slot: 'view-toolbar-start' | 'view-toolbar-end';
}
