import type { ComponentType } from 'react';
import type { PluginEntity, ProjectEntity, TableEntity, ViewEntity } from '../../shared/index.ts';
import type { RowsClient } from '../rows/index.ts';

/** The input of `when`. @public */
export interface ShellContext {
  readonly signedIn: boolean;
  readonly superAdmin: boolean;
  readonly project: ProjectEntity | undefined;
  readonly table: TableEntity | undefined;
  readonly view: ViewEntity | undefined;
  /** The visible rows, for commands about them; undefined if there are none. */
  readonly rows: RowsClient | undefined;
}

/** To whom an item is offered, and where. @public */
export interface Offer<Context> {
  /** Only offered to people with this permission, in the context's project or by their account: `tableCreate`. */
  readonly permission?: string;
  /** Not offered if it returns false; called on every render, so it must be cheap. */
  when?(context: Context): boolean;
}

/** The common properties of all contributions that are drawn. @public */
export interface SlotItem<Props = object> extends Offer<ShellContext> {
  readonly id: string;
  /** Lower ones come first. Default 100. */
  readonly order?: number;
  readonly Component: ComponentType<Props>;
}

/** A pane of the side bar or an entry of the top bar. @public */
export interface ShellItem extends SlotItem {
  readonly slot: 'top-bar-start' | 'top-bar-end' | 'side-bar' | 'home' | 'overlays';
  /**
   * In `top-bar-end`: on phones, it moves to the menu of the bar, where its button is a line with its `aria-label`. For entries
   * that are rarely needed, since a phone has room for two or three.
   */
  readonly folds?: boolean;
}

/** An open tab: at most 8, the oldest is closed. @public */
export interface OpenTab {
  readonly type: string;
  /** The object's id, for tabs per object. */
  readonly key: string;
  readonly name: string;
  /** The id of the tab's view; absent for the default one. */
  readonly view?: string;
}

/** A tab of a project's dashboard. @public */
export interface DashboardTab extends SlotItem<{ readonly project: ProjectEntity; readonly tab: OpenTab }> {
  readonly label: string;
  readonly icon: string;
  /** Opened for an object, such as a table, from its list. Other tabs are in the project's menu. */
  readonly perObject?: boolean;
  /** Drawn in a project without an open tab; of several such tabs, the first in order is used. It may open a tab. */
  readonly Start?: ComponentType<DashboardStartProps>;
}

/** The props of the part for a project without an open tab. @public */
export interface DashboardStartProps {
  readonly project: ProjectEntity;
  /** Whether the project was just opened; false after its last tab was closed. */
  readonly isArriving: boolean;
}

/** A part of a plugin's card in the app store, besides its settings. @public */
export interface PluginPanel extends SlotItem<{ readonly plugin: PluginEntity }> {
  /** On which plugins' cards it is shown; default: all. It must be cheap. */
  shows?(plugin: PluginEntity): boolean;
}

/** A panel of the settings dialog. @public */
export interface SettingsPanel extends SlotItem {
  readonly label: string;
  readonly icon?: string;
}

/** A panel of the account page, at `/user/settings/<id>`: profile, password, tokens. @public */
export interface AccountPanel extends SettingsPanel {}

/** The props of a sign-in step's page. @public */
export interface SignInStepProps {
  /** The result of `begin` in the server half. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The result of `finish`, if it succeeded; the session starts with `onDone`. */
  readonly told: Readonly<Record<string, unknown>> | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  onAnswer(this: void, answer: Readonly<Record<string, unknown>>): void;
  onDone(this: void): void;
}

/** The page of a step between proving one's identity and the start of the session; the server half has the same id. @public */
export interface SignInStepPage {
  readonly id: string;
  readonly label: string;
  readonly Component: ComponentType<SignInStepProps>;
}
