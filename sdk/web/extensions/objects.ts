import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type { HostActions } from '../host.tsx';
import type { Offer, ShellContext, SlotItem } from './shell.ts';

/** An object of a project beside its tables, as the route that lists its kind answers it. @public */
export interface ProjectObject {
  readonly id: string;
  readonly title: string;
  /** Of this object alone. Default: the icon of its kind. */
  readonly icon?: string;
  /** Of objects that open in tabs of another kind than the one that lists them: the id of that tab. Default: the id of their kind. */
  readonly kind?: string;
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
export interface WebObjectKind extends Offer<ShellContext> {
  readonly id: string;
  /** The heading over the objects: "Dashboards". */
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly order?: number;
  /** The address that lists the objects of a project in their order: `{ list: ProjectObject[] }`, with
   * `total` where there are more than are listed. */
  list(project: ProjectEntity): string;
  /** Whether they are read only once somebody unfolds the heading, since they are many or slow to list; it is kept for the next time. */
  readonly folded?: boolean;
  /** Makes a new one; offered by a button beside the heading. */
  readonly create?: {
    /** The button's name: "Create dashboard". */
    readonly label: string;
    /** As of any item. */
    readonly permission?: string;
    readonly when?: (this: void, context: ShellContext) => boolean;
    readonly run: (this: void, context: ShellContext, actions: HostActions) => void | Promise<void>;
  };
}

/** What a table holds, listed under it in the side bar once somebody unfolds it: its views. @public */
export interface TableBranch extends SlotItem<{
  readonly project: ProjectEntity;
  readonly table: TableEntity;
}> {}

/** What else was deleted in a project, drawn in its trash below tables and columns, with a way to bring it back. @public */
export interface TrashSection extends SlotItem<{ readonly project: ProjectEntity }> {
  readonly label: string;
}
