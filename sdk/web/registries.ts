import type { ComponentType, CSSProperties } from 'react';
import type {
  Aggregation,
  CellValue,
  ColumnEntity,
  ColumnTypeDefinition,
  FilterOperator,
  ProjectEntity,
  Row,
  RowKey,
  TableEntity,
  ViewEntity,
  ViewTypeDefinition,
} from '../shared/index.ts';
import type { HostActions } from './host.tsx';
import type { RowsClient } from './rows/index.ts';

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
  /** The rows that are in sight, for commands about them; undefined where none are. */
  readonly rows: RowsClient | undefined;
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

/** What an editor holds so far: a value, or a text that the column type has yet to read. @public */
export type EditorDraft<Value = CellValue> =
  { readonly kind: 'value'; readonly value: Value | null } | { readonly kind: 'text'; readonly text: string };

/**
 * What the editor of one cell is given.
 *
 * It says what it holds with `onChange`, and ends with `onCommit` or `onCancel`. When a person goes elsewhere without either,
 * whoever draws the editor commits what `onChange` said last: a text that cannot be read stays where it was typed, marked with
 * the reason. So an editor need not watch its own focus.
 * @public
 */
export interface EditorProps<Value = CellValue, Options = Record<string, unknown>> {
  readonly value: Value | null;
  /** What was typed to open the editor: it replaces the value. */
  readonly initialText?: string;
  readonly column: ColumnEntity;
  readonly options: Options;
  /** Undefined where the editor stands beside no table, such as in the preview of an import; so are the next two. */
  readonly project?: ProjectEntity;
  readonly table?: TableEntity;
  readonly columns?: readonly ColumnEntity[];
  /** The row that the cell belongs to, as it is shown; undefined in a filter. */
  readonly row?: Row;
  readonly autoFocus: boolean;
  onChange(this: void, draft: EditorDraft<Value>): void;
  /** Takes the value; `move` says which cell is selected next, none when it is absent. */
  onCommit(this: void, value: Value | null, move?: 'down' | 'up' | 'right' | 'left'): void;
  onCancel(this: void): void;
}

/** Edits what the column's `meta` holds for its type. @public */
export interface OptionsPanelProps<Options = Record<string, unknown>> {
  readonly options: Options;
  readonly project?: ProjectEntity;
  readonly table?: TableEntity;
  /** The columns of the table. */
  readonly columns?: readonly ColumnEntity[];
  /** Undefined for a column that is yet to be made. */
  readonly column?: ColumnEntity;
  onChange(this: void, options: Options): void;
}

/** A cell that somebody opens. @public */
export interface OpenedCell {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  readonly rowKey: RowKey;
  /** By titles. */
  readonly row: Row;
}

/** A field of the row panel that a column type draws by itself. @public */
export interface FieldProps extends OpenedCell {
  readonly value: CellValue;
  /** Why the row cannot be changed, in words; undefined where it can. */
  readonly readOnlyReason: string | undefined;
}

/** A column type as the browser knows it. @public */
export type WebColumnType<
  Value extends CellValue = CellValue,
  Options = Record<string, unknown>,
> = ColumnTypeDefinition<Value, Options> & {
  readonly Cell?: ComponentType<CellProps<Value, Options>>;
  /** `text`: the grid's own text editor edits `format(value)` and reads it back with `parse`. */
  readonly Editor: 'text' | 'longText' | ComponentType<EditorProps<Value, Options>>;
  /** Edits the options; without it they are edited by a form made of their schema. */
  readonly OptionsPanel?: ComponentType<OptionsPanelProps<Options>>;
  /** True when the cell writes by itself through `onChange` (stars): the row panel then shows it beside the editor. */
  readonly cellEdits?: boolean;
  /**
   * For types whose cells are not written as values but in a place of their own: opens it in place of an editor (Enter, a double click).
   * Such cells are kept when others are pasted, filled or emptied.
   */
  open?(this: void, cell: OpenedCell): void;
  /** What the row panel shows for the field in place of an editor. */
  readonly Field?: ComponentType<FieldProps>;
  /** Whether rows can be sorted by a column; where left out, by every one. */
  isSortable?(this: void, column: ColumnEntity, table: TableEntity): boolean;
  /** The name that a new column with these options gets when nobody types one; undefined: the label of the type. */
  titleOf?(this: void, options: Options): string | undefined;
  readonly align?: 'start' | 'center' | 'end';
  /** True when values stay covered until somebody asks: only the type's own cell and editor show them, no heading. */
  readonly isCovered?: boolean;
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

/** What a view is arranged by; the toolbar offers the buttons for it. @public */
export type ViewPart = 'filters' | 'sorts' | 'fields';

/** A kind of view as the browser draws it. @public */
export interface WebViewType extends ViewTypeDefinition {
  readonly icon: string;
  readonly View: ComponentType<ViewProps>;
  /** What its views can be arranged by. Default: all of it. */
  readonly uses?: readonly ViewPart[];
  /** Edits the view's options. Default: a form made of the schema `options`. */
  readonly SettingsPanel?: ComponentType<ViewSettingsProps>;
  /** Edits what the view keeps of one column, from the list of fields. Default: a form made of the schema `columnOptions`. */
  readonly ColumnSettingsPanel?: ComponentType<ViewColumnSettingsProps>;
  /** False for a type whose views are not made by hand. Default true. */
  readonly creatable?: boolean;
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

/** What the value of a filter is edited by. @public */
export interface FilterValueProps {
  readonly column: ColumnEntity;
  /** Undefined while the plugin of the column's type is off. */
  readonly type: WebColumnType | undefined;
  readonly operator: WebFilterOperator;
  /** As it is saved; an empty text for none yet. */
  readonly value: CellValue;
  readonly readOnly: boolean;
  /** Which of several values it is: "From". */
  readonly label?: string;
  /** Filters at once; call it when the value is whole. */
  onChange(this: void, value: CellValue): void;
}

/** A comparison as the browser knows it. @public */
export interface WebFilterOperator extends FilterOperator {
  /** Edits the value, in place of the input that `arity` and the column's type decide. */
  readonly ValueInput?: ComponentType<FilterValueProps>;
}

/** A page of the hash router. @public */
export interface WebRoute {
  readonly id: string;
  /** react-router's pattern: `/nc/:projectId`. */
  readonly path: string;
  /** Best a `lazyPart`: the host fetches its code before it draws the page. */
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
  /** Drawn only over views whose type is arranged by it. */
  readonly part?: ViewPart;
  readonly slot: 'view-toolbar-start' | 'view-toolbar-end';
}

/** What a menu was opened on: its project, table and view, which need not be the open ones. @public */
export interface MenuContext extends ShellContext {
  /** In a column's menu. */
  readonly column: ColumnEntity | undefined;
  /** In the menu of an object beside the tables. */
  readonly object: ObjectOfKind | undefined;
}

/** An entry of one of the page's menus; an error of `run` is shown and attributed to the plugin. Rows have `cellActions`. @public */
export interface MenuItem {
  readonly id: string;
  /** `main` stands in the top bar; the others belong to what they are named after. */
  readonly menu: 'account' | 'main' | 'project' | 'table' | 'view' | 'column' | 'object';
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon?: string;
  readonly order?: number;
  readonly danger?: boolean;
  when?(context: MenuContext): boolean;
  run(context: MenuContext, actions: HostActions): void | Promise<void>;
}

/** A tab of a project's dashboard. @public */
export interface DashboardTab extends SlotItem<{ readonly project: ProjectEntity; readonly tab: OpenTab }> {
  readonly label: string;
  readonly icon: string;
  /** Opened for an object, such as a table, by whoever lists the objects. The others stand in the project's menu. */
  readonly perObject?: boolean;
}

/** An object of a project beside its tables, as the route that lists its kind answers it. @public */
export interface ProjectObject {
  readonly id: string;
  readonly title: string;
  /** Of this object alone. Default: the icon of its kind. */
  readonly icon?: string;
}

/** An object and the id of its kind. @public */
export interface ObjectOfKind extends ProjectObject {
  readonly kind: string;
}

/**
 * A kind of object that a project holds beside its tables: dashboards, documents, functions of the database.
 *
 * The side bar lists the objects of each kind under its label, and the palette finds them by name. The item of `dashboardTabs`
 * with the same id opens one, in a tab whose key is the object's id; without such an item they are listed and not opened. What
 * can be done with one (rename, delete, share) are `menuItems` of the menu `object`, of this plugin or of any other: a plugin
 * that shares objects adds "Share" to the menus of the kinds that it knows.
 *
 * The objects, their rights and their history belong to the plugin's server half. It answers `list` with those that the caller
 * may see, and publishes the live event `objects` when they change, after which every open page lists them again.
 * @public
 */
export interface WebObjectKind {
  readonly id: string;
  /** The heading over the objects: "Dashboards". */
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly order?: number;
  when?(context: ShellContext): boolean;
  /** The address that lists the objects of a project in their order: `{ list: ProjectObject[] }`. */
  list(project: ProjectEntity): string;
  /** Makes a new one; offered by a button beside the heading. */
  readonly create?: {
    /** The button's name: "Create dashboard". */
    readonly label: string;
    readonly when?: (this: void, context: ShellContext) => boolean;
    readonly run: (this: void, context: ShellContext, actions: HostActions) => void | Promise<void>;
  };
}

/** An open tab: at most 8, the oldest goes. @public */
export interface OpenTab {
  readonly type: string;
  /** The object's id for tabs per object. */
  readonly key: string;
  readonly name: string;
  /** The id of the view that the tab shows; absent for its default one. */
  readonly view?: string;
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
  readonly danger?: boolean;
  when?(context: RowContext): boolean;
  run(context: RowContext, actions: HostActions): void | Promise<void>;
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
  /** In the language itself: "Deutsch". */
  readonly label: string;
  /** How it is read; `rtl` turns the page round. Default `ltr`. */
  readonly dir?: 'ltr' | 'rtl';
}

/** Something that a person can do from anywhere: by its keys, or by its name in the command palette. @public */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /**
   * `mod+k`: Ctrl, or Cmd on a Mac. Of several, the first one is shown. Keys that write or edit text (`?`, `mod+z`) are a text
   * field's own while it has the focus.
   */
  readonly keys?: string | readonly string[];
  /** Who hears the keys while it has the focus, in words: "Grid". Default: the page, wherever the focus is. */
  readonly keysIn?: string;
  /** The heading that it stands under in the palette. Default `Commands`. */
  readonly category?: string;
  readonly order?: number;
  /** Neither offered nor run by its keys when false. */
  when?(context: ShellContext): boolean;
  run(context: ShellContext, actions: HostActions): void | Promise<void>;
}

/** One thing that was found by its name. @public */
export interface SearchResult {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /** Where it is: the project of a table. */
  readonly detail?: string;
  open(actions: HostActions): void;
}

/** Things that the command palette finds by name: tables, views, projects. @public */
export interface SearchSource {
  readonly id: string;
  /** The heading over what it finds. */
  readonly label: string;
  readonly order?: number;
  when?(context: ShellContext): boolean;
  /** Everything that can be found, at most a few hundred; the palette narrows it by what is typed. */
  list(
    context: ShellContext,
    actions: HostActions & { readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
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
 * The registries that the page's host itself makes.
 *
 * Labels, titles and descriptions are registered in English; whoever draws them passes them through `t`, so that a change of
 * language reaches them too.
 * @public
 */
export interface HostWebRegistries {
  columnTypes: WebColumnType;
  viewTypes: WebViewType;
  filterOperators: WebFilterOperator;
  aggregations: Aggregation;
  routes: WebRoute;
  layouts: WebLayout;
  shellItems: ShellItem;
  toolbarItems: ToolbarItem;
  menuItems: MenuItem;
  dashboardTabs: DashboardTab;
  objectKinds: WebObjectKind;
  settingsPanels: SettingsPanel;
  cellActions: CellAction;
  themes: Theme;
  locales: Locale;
  commands: Command;
  searchSources: SearchSource;
  projectSources: ProjectSource;
}

/** The page's registries by id. A plugin that makes one of its own (`ctx.registries.define`) adds it by declaration merging. @public */
export interface WebRegistries extends HostWebRegistries {}

/** Inline style with custom properties. @public */
export type StyleWithVariables = CSSProperties & Readonly<Record<`--${string}`, string | number>>;
