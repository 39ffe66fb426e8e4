import type {
  ColumnEntity,
  ProjectEntity,
  Row,
  RowKey,
  TableEntity,
  ViewEntity,
} from '../../shared/index.ts';
import type { HostActions } from '../host.tsx';
import type { ObjectOfKind } from './objects.ts';
import type { Offer, ShellContext } from './shell.ts';

/** The subject of a menu: its project, table and view, which need not be the open ones. @public */
export interface MenuContext extends ShellContext {
  /** In a column's menu. */
  readonly column: ColumnEntity | undefined;
  /** In the menu of an object beside the tables. */
  readonly object: ObjectOfKind | undefined;
  /** In the menu of an account, in the server's list. */
  readonly person: MenuPerson | undefined;
}

/** The account of a menu. @public */
export interface MenuPerson {
  readonly id: string;
  readonly email: string;
  /** The full name, or the address if unknown. */
  readonly name: string;
  readonly isDisabled: boolean;
}

/**
 * An entry of one of the page's menus; an error of `run` is shown and attributed to the plugin. For rows there are `cellActions`.
 * @public
 */
export interface MenuItem extends Offer<MenuContext> {
  readonly id: string;
  /** `main` is in the top bar; the others are the menus of their namesakes, `person` of an account. */
  readonly menu: 'account' | 'main' | 'project' | 'table' | 'view' | 'column' | 'object' | 'person';
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon?: string;
  readonly order?: number;
  readonly danger?: boolean;
  run(context: MenuContext, actions: HostActions): void | Promise<void>;
}

/** An action on one row, in the row panel and the row's context menu. @public */
export interface CellAction extends Offer<RowContext> {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  readonly order?: number;
  readonly danger?: boolean;
  run(context: RowContext, actions: HostActions): void | Promise<void>;
}

/** The row of an action; `column` is set if it was called on a cell. @public */
export interface RowContext {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity | undefined;
  readonly rowKey: RowKey;
  readonly row: Row;
  readonly column?: ColumnEntity;
}
