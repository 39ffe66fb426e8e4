import type { ComponentType } from 'react';
import type { PluginEntity, ProjectEntity, TableEntity, ViewEntity } from '../../shared/index.ts';
import type { RowsClient } from '../rows/index.ts';

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

/** To whom an item is offered, and where. @public */
export interface Offer<Context> {
  /** Offered only to people who have this permission, in the project that the context names or by their account: `tableCreate`. */
  readonly permission?: string;
  /** Not offered when false; asked on every render, so it must be cheap. */
  when?(context: Context): boolean;
}

/** What every contribution that is drawn somewhere has in common. @public */
export interface SlotItem<Props = object> extends Offer<ShellContext> {
  readonly id: string;
  /** Lower stands first. Default 100. */
  readonly order?: number;
  readonly Component: ComponentType<Props>;
}

/** A pane of the side bar or an entry of the top bar. @public */
export interface ShellItem extends SlotItem {
  readonly slot: 'top-bar-start' | 'top-bar-end' | 'side-bar' | 'home' | 'overlays';
  /**
   * In `top-bar-end`: a phone shows it in the menu of the bar, where its button is a line with its `aria-label`. For what is not
   * needed all the time, since a phone has room for two or three.
   */
  readonly folds?: boolean;
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

/** A tab of a project's dashboard. @public */
export interface DashboardTab extends SlotItem<{ readonly project: ProjectEntity; readonly tab: OpenTab }> {
  readonly label: string;
  readonly icon: string;
  /** Opened for an object, such as a table, by whoever lists the objects. The others stand in the project's menu. */
  readonly perObject?: boolean;
  /** Drawn where a project has no open tab; of several tabs that have one, the first in their order. It may open a tab. */
  readonly Start?: ComponentType<DashboardStartProps>;
}

/** What the part of a project without an open tab is given. @public */
export interface DashboardStartProps {
  readonly project: ProjectEntity;
  /** Whether the project was just opened; false once its last tab was closed. */
  readonly isArriving: boolean;
}

/** A part of a plugin's card in the app store, for what its settings do not say. @public */
export interface PluginPanel extends SlotItem<{ readonly plugin: PluginEntity }> {
  /** On which plugins' cards; on that of every one where left out. It must be cheap. */
  shows?(plugin: PluginEntity): boolean;
}

/** A panel of the settings dialog. @public */
export interface SettingsPanel extends SlotItem {
  readonly label: string;
  readonly icon?: string;
}

/** A panel of the page of one's own account, at `/user/settings/<id>`: profile, password, tokens. @public */
export interface AccountPanel extends SettingsPanel {}

/** What the page of a step of the sign-in is given. @public */
export interface SignInStepProps {
  /** What `begin` of the server's half gave. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What `finish` gave, once it went well; the session starts with `onDone`. */
  readonly told: Readonly<Record<string, unknown>> | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  onAnswer(this: void, answer: Readonly<Record<string, unknown>>): void;
  onDone(this: void): void;
}

/** The page of a step between proving who one is and the start of the session; the server's half has the same id. @public */
export interface SignInStepPage {
  readonly id: string;
  readonly label: string;
  readonly Component: ComponentType<SignInStepProps>;
}
