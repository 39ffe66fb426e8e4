import type { ComponentType, CSSProperties } from 'react';
import type {
  CellValue,
  ColumnEntity,
  ColumnTypeDefinition,
  FilterOperator,
  ProjectEntity,
  Row,
  RowKey,
  TableEntity,
  ViewEntity,
} from '../shared/index.ts';

/** What every contribution that is drawn somewhere has in common. @public */
export interface SlotItem<Props = object> {
  readonly id: string;
  /** Lower stands first. Default 100. */
  readonly order?: number;
  /** Not drawn when false; asked on every render, so it must be cheap. */
  when?(context: ShellContext): boolean;
  readonly Component: ComponentType<Props>;
}

/** What `when` may look at. @public */
export interface ShellContext {
  readonly signedIn: boolean;
  readonly superAdmin: boolean;
  readonly project: ProjectEntity | undefined;
  readonly table: TableEntity | undefined;
  readonly view: ViewEntity | undefined;
}

/** What a cell is drawn from. It is drawn often and while rows scroll, so it must be cheap. @public */
export interface CellProps<Value = CellValue, Options = Record<string, unknown>> {
  readonly value: Value | null;
  readonly row: Row | undefined;
  readonly column: ColumnEntity;
  readonly options: Options;
  readonly selected: boolean;
  /** Writes the cell at once, for cells that are their own editor (stars, a checkbox); undefined where it is read-only. */
  onChange?(this: void, value: Value | null): void;
}

/** What the editor of one cell is given; it ends with `onCommit` or `onCancel`. @public */
export interface EditorProps<Value = CellValue, Options = Record<string, unknown>> {
  readonly value: Value | null;
  /** What was typed to open the editor: it replaces the value. */
  readonly initialText?: string;
  readonly column: ColumnEntity;
  readonly options: Options;
  readonly autoFocus: boolean;
  /** Takes the value; `move` says which cell is selected next, none when it is absent. */
  onCommit(this: void, value: Value | null, move?: 'down' | 'up' | 'right' | 'left'): void;
  onCancel(this: void): void;
}

/** Edits what the column's `meta` holds for its type. @public */
export interface OptionsPanelProps<Options = Record<string, unknown>> {
  readonly options: Options;
  onChange(this: void, options: Options): void;
}

/** A column type as the browser knows it. @public */
export type WebColumnType<
  Value extends CellValue = CellValue,
  Options = Record<string, unknown>,
> = ColumnTypeDefinition<Value, Options> & {
  readonly Cell?: ComponentType<CellProps<Value, Options>>;
  /** `text`: the grid's own text editor edits `format(value)` and reads it back with `parse`. */
  readonly Editor: 'text' | 'longText' | ComponentType<EditorProps<Value, Options>>;
  readonly OptionsPanel?: ComponentType<OptionsPanelProps<Options>>;
  readonly align?: 'start' | 'center' | 'end';
  /** The value that Space or Enter on a selected cell makes of this one (a checkbox). */
  toggle?(value: Value | null): Value | null;
};

/** Names a column type's web half and infers its value and options. @public */
export function defineWebColumnType<Value extends CellValue, Options = Record<string, unknown>>(
  type: WebColumnType<Value, Options>,
): WebColumnType {
  // The registry holds types of every value; each one is only ever given values of its own column.
  return type as unknown as WebColumnType;
}

/** What a view and the items of its toolbar are drawn from. @public */
export interface ViewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly readOnly: boolean;
}

/** A kind of view as the browser draws it. @public */
export interface WebViewType {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly number: number;
  readonly View: ComponentType<ViewProps>;
}

/** A page of the hash router. @public */
export interface WebRoute {
  readonly id: string;
  /** react-router's pattern: `/nc/:projectId`. */
  readonly path: string;
  readonly Component: ComponentType;
  /** Who may see it; guests are sent to sign in. Default `signedIn`. */
  readonly access?: 'everyone' | 'guest' | 'signedIn' | 'superAdmin';
  /** An id of the `layouts` registry. Default `default`. */
  readonly layout?: string;
  /** The document's title. */
  readonly title?: string;
  /** False gives the 404 page. */
  validate?(params: Readonly<Record<string, string | undefined>>): boolean;
}

/** A frame around pages. @public */
export interface WebLayout {
  readonly id: string;
  readonly Component: ComponentType<{ readonly children: React.ReactNode }>;
}

/** An item of the toolbar over a view. @public */
export interface ToolbarItem extends SlotItem<ViewProps> {
  readonly slot: 'view-toolbar-start' | 'view-toolbar-end';
}

/** An entry of one of the page's menus; an error of `run` is shown and attributed to the plugin. @public */
export interface MenuItem {
  readonly id: string;
  readonly menu: 'account' | 'project' | 'table' | 'main';
  readonly label: string;
  readonly icon?: string;
  readonly order?: number;
  when?(context: ShellContext): boolean;
  run(context: ShellContext): void | Promise<void>;
}

/** A tab of a project's dashboard. @public */
export interface DashboardTab extends SlotItem<{ readonly project: ProjectEntity; readonly tab: OpenTab }> {
  readonly label: string;
  readonly icon: string;
  /** `table` tabs are opened per object; others from the project menu. */
  readonly perObject?: boolean;
}

/** An open tab: at most 8, the oldest goes. @public */
export interface OpenTab {
  readonly type: string;
  /** The object's id for tabs per object. */
  readonly key: string;
  readonly name: string;
}

/** A pane of the side bar or an entry of the top bar. @public */
export interface ShellItem extends SlotItem {
  readonly slot: 'top-bar-start' | 'top-bar-end' | 'side-bar' | 'home' | 'overlays';
}

/** A panel of the settings dialog. @public */
export interface SettingsPanel extends SlotItem {
  readonly label: string;
  readonly icon?: string;
}

/** An action on one row, in the row panel and the row's context menu. @public */
export interface CellAction {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  readonly order?: number;
  when?(context: RowContext): boolean;
  run(context: RowContext): void | Promise<void>;
}

/** The row that an action is about; `column` where it was called on a cell. @public */
export interface RowContext {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity | undefined;
  readonly rowKey: RowKey;
  readonly row: Row;
  readonly column?: ColumnEntity;
}

/** Colours of a theme: custom properties without their `--trellis-` prefix. @public */
export interface Theme {
  readonly id: string;
  readonly label: string;
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
}

/** A language of the page. @public */
export interface Locale {
  readonly id: string;
  readonly label: string;
  /** English text to translated text; `{{name}}` is filled in. */
  readonly messages: Readonly<Record<string, string>>;
}

/** Something that a key combination does. @public */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** `mod+k`: Ctrl, or Cmd on a Mac. */
  readonly keys?: string;
  run(): void | Promise<void>;
}

/** A way to begin a project. @public */
export interface ProjectSource {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly order?: number;
  when?(context: ShellContext): boolean;
  readonly Component: ComponentType<{
    readonly onDone: (project: ProjectEntity) => void;
    readonly onCancel: () => void;
  }>;
}

/**
 * The browser's registries by id.
 *
 * Labels, titles and descriptions are registered in English; whoever draws them passes them through `t`, so that a change of
 * language reaches them too.
 * @public
 */
export interface WebRegistries {
  columnTypes: WebColumnType;
  viewTypes: WebViewType;
  filterOperators: FilterOperator;
  routes: WebRoute;
  layouts: WebLayout;
  shellItems: ShellItem;
  toolbarItems: ToolbarItem;
  menuItems: MenuItem;
  dashboardTabs: DashboardTab;
  settingsPanels: SettingsPanel;
  cellActions: CellAction;
  themes: Theme;
  locales: Locale;
  commands: Command;
  projectSources: ProjectSource;
}

/** Inline style with custom properties. @public */
export type StyleWithVariables = CSSProperties & Readonly<Record<`--${string}`, string | number>>;
