import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/** Kinds of objects in a database besides tables. @public */
export type DatabaseObjectKind = 'view' | 'function' | 'procedure' | 'sequence' | 'trigger' | 'index';

/** An object of a database, for lists. @public */
export interface DatabaseObject {
  readonly kind: DatabaseObjectKind;
  /** Identifies it among objects of its kind in the database. It stays the same as long as its name and arguments do. */
  readonly id: string;
  readonly name: string;
  /** The arguments that distinguish functions of the same name, or the table of a trigger or an index; empty for other kinds. */
  readonly about: string;
}

/** A column of a view, or a parameter of a function. @public */
export interface DatabaseObjectPart {
  readonly name: string;
  /** The type as the database writes it: `numeric(10,2)`. */
  readonly type: string;
  /** Only for parameters. */
  readonly mode?: 'in' | 'out' | 'inout' | 'variadic';
}

/** The details of a database object. @public */
export interface DatabaseObjectDetails extends DatabaseObject {
  /** The SQL as the database prints it. Undefined if there is none, or the connection's account may not read it. */
  readonly definition?: string;
  /** Of views. */
  readonly columns?: readonly DatabaseObjectPart[];
  /** Of functions and procedures. */
  readonly parameters?: readonly DatabaseObjectPart[];
  /** The type of a function's result. */
  readonly returns?: string;
  /** The language of a function: `plpgsql`. */
  readonly language?: string;
}

/** A search for objects. @public */
export interface DatabaseObjectQuery {
  readonly kind?: DatabaseObjectKind;
  /** A part of the name, ignoring case. */
  readonly search?: string;
  /** The most results. Default 200, at most 500. */
  readonly limit?: number;
}

/** Objects ordered by name. @public */
export interface DatabaseObjectList {
  readonly list: readonly DatabaseObject[];
  /** The number of matching objects of each kind; kinds that the database does not have are left out. */
  readonly counts: Readonly<Partial<Record<DatabaseObjectKind, number>>>;
}

/**
 * Views, functions, procedures, sequences, triggers and indexes of a project's external databases. They are read from the
 * catalogues at each call, and nothing is stored.
 *
 * Both require `databaseOpen` and `baseUpdate`, as reading the connection does: definitions reveal how a database works inside.
 * The server's own database, where every project may have tables, is refused (400 `BASE_OWN`).
 * @public
 */
export interface DatabaseObjects {
  list(scope: AccessScope, baseId: string, query?: DatabaseObjectQuery): Promise<DatabaseObjectList>;
  /** @throws TrellisError 404 `DATABASE_OBJECT_NOT_FOUND` */
  read(
    scope: AccessScope,
    baseId: string,
    kind: DatabaseObjectKind,
    id: string,
  ): Promise<DatabaseObjectDetails>;
}
/** Database objects besides tables. @public */
export const DatabaseObjectsToken = createToken<DatabaseObjects>('database-objects');
