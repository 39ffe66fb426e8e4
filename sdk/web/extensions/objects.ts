import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type { HostActions } from '../host.tsx';
import type { Offer, ShellContext, SlotItem } from './shell.ts';

/** An object of a project beside its tables, as in the answer of its kind's list. @public */
export interface ProjectObject {
  readonly id: string;
  readonly title: string;
  /** The icon of this object. Default: that of its kind. */
  readonly icon?: string;
  /** For objects that open in another kind of tab: the id of that tab. Default: the id of their kind. */
  readonly kind?: string;
}

/** An object and the id of its kind. @public */
export interface ObjectOfKind extends ProjectObject {
  readonly kind: string;
}

/**
 * A kind of object that a project holds beside its tables: dashboards, documents, functions of the database.
 *
 * The side bar lists the objects of each kind under its label, and the palette finds them by name. The item of `dashboardTabs` with
 * the same id opens one, in a tab whose key is the object's id; without such an item they cannot be opened. Actions (rename,
 * delete, share) are `menuItems` of the menu `object`, of this plugin or of any other: a plugin that shares objects adds "Share" to
 * the menus of the kinds that it supports.
 *
 * The objects, their rights and their history belong to the plugin's server half. It answers `list` with the objects that the
 * caller may see, and publishes the live event `objects` when they change, after which every open page reloads the list.
 * @public
 */
export interface WebObjectKind extends Offer<ShellContext> {
  readonly id: string;
  /** The heading over the objects: "Dashboards". */
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly order?: number;
  /** The address that lists the objects of a project in order: `{ list: ProjectObject[] }`, with `total` if not all are listed. */
  list(project: ProjectEntity): string;
  /**
   * Whether they are loaded only once somebody unfolds the heading, since they are many or slow to list; the state is remembered.
   */
  readonly folded?: boolean;
  /** Creates a new one; offered by a button beside the heading. */
  readonly create?: {
    /** The button's name: "Create dashboard". */
    readonly label: string;
    /** As of any item. */
    readonly permission?: string;
    readonly when?: (this: void, context: ShellContext) => boolean;
    readonly run: (this: void, context: ShellContext, actions: HostActions) => void | Promise<void>;
  };
}

/** The content of a table, listed under it in the side bar once it is unfolded, such as its views. @public */
export interface TableBranch extends SlotItem<{
  readonly project: ProjectEntity;
  readonly table: TableEntity;
}> {}

/** Other deleted things of a project, shown in its trash below tables and columns, with a way to restore them. @public */
export interface TrashSection extends SlotItem<{ readonly project: ProjectEntity }> {
  readonly label: string;
}
