import type { Aggregation, FormulaFunctionDefinition } from '../shared/index.ts';
import type { AutomationInputPart } from './extensions/automation-input-parts.ts';
import type { WebColumnType } from './extensions/column-types.ts';
import type { Command, SearchSource } from './extensions/commands.ts';
import type { ExportFormat } from './extensions/export-formats.ts';
import type { WebFilterOperator } from './extensions/filter-operators.ts';
import type { ImportFormat } from './extensions/import-formats.ts';
import type { Locale, Theme } from './extensions/looks.ts';
import type { CellAction, MenuItem } from './extensions/menus.ts';
import type { TableBranch, TrashSection, WebObjectKind } from './extensions/objects.ts';
import type { WebLayout, WebRoute } from './extensions/pages.ts';
import type { ProjectSource } from './extensions/project-sources.ts';
import type { RowColoring } from './extensions/row-colorings.ts';
import type { RowPane } from './extensions/row-panes.ts';
import type {
  AccountPanel,
  DashboardTab,
  PluginPanel,
  SettingsPanel,
  ShellItem,
  SignInStepPage,
} from './extensions/shell.ts';
import type { ToolbarItem, WebViewType } from './extensions/view-types.ts';

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
  tableBranches: TableBranch;
  trashSections: TrashSection;
  pluginPanels: PluginPanel;
  settingsPanels: SettingsPanel;
  accountPanels: AccountPanel;
  signInSteps: SignInStepPage;
  cellActions: CellAction;
  rowPanes: RowPane;
  exportFormats: ExportFormat;
  importFormats: ImportFormat;
  rowColorings: RowColoring;
  themes: Theme;
  locales: Locale;
  commands: Command;
  searchSources: SearchSource;
  projectSources: ProjectSource;
}

/** Registries that plugins of ours make; they are there while their plugin is on. @public */
export interface PluginWebRegistries {
  /** Of `automations`. */
  automationInputParts: AutomationInputPart;
  /** Of `columns-formula`: the same ones as on the server. */
  formulaFunctions: FormulaFunctionDefinition;
}

/** The page's registries by id. A plugin that makes one of its own (`ctx.registries.define`) adds it by declaration merging. @public */
export interface WebRegistries extends HostWebRegistries, PluginWebRegistries {}
