import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/** What a database holds beside its tables. @public */
export type DatabaseObjectKind = 'view' | 'function' | 'procedure' | 'sequence' | 'trigger' | 'index';

/** An object of a database as lists name it. @public */
export interface DatabaseObject {
  readonly kind: DatabaseObjectKind;
  /** Of its kind in its database. It stays the same as long as the object is called so, and takes the same arguments. */
  readonly id: string;
  readonly name: string;
  /** The arguments by which a function is told from others of its name, the table of a trigger or an index; empty for other kinds. */
  readonly about: string;
}

/** A column of a view, or a parameter of a function. @public */
export interface DatabaseObjectPart {
  readonly name: string;
  /** As the database writes it: `numeric(10,2)`. */
  readonly type: string;
  /** Of a parameter. */
  readonly mode?: 'in' | 'out' | 'inout' | 'variadic';
}

/** All that a database says of one of its objects. @public */
export interface DatabaseObjectDetails extends DatabaseObject {
  /** Its SQL as the database prints it. Undefined where there is none, or where the account of the connection may not read it. */
  readonly definition?: string;
  /** Of views. */
  readonly columns?: readonly DatabaseObjectPart[];
  /** Of functions and procedures. */
  readonly parameters?: readonly DatabaseObjectPart[];
  /** The type of a function's result. */
  readonly returns?: string;
  /** What a function is written in: `plpgsql`. */
  readonly language?: string;
}

/** Which objects are asked for. @public */
export interface DatabaseObjectQuery {
  readonly kind?: DatabaseObjectKind;
  /** A part of the name, in any case. */
  readonly search?: string;
  /** The most that are listed. Default 200, at most 500. */
  readonly limit?: number;
}

/** Objects in the order of their names. @public */
export interface DatabaseObjectList {
  readonly list: readonly DatabaseObject[];
  /** How many there are of each kind whose names hold what was searched for; kinds that the database does not know are left out. */
  readonly counts: Readonly<Partial<Record<DatabaseObjectKind, number>>>;
}

/**
 * Views, functions, procedures, sequences, triggers and indexes of the databases that a project was opened on, read from their catalogues
 * when they are asked for; nothing of them is kept.
 *
 * Both require `databaseOpen` and `baseUpdate`, as reading the connection does: definitions say how a database works inside. Of the
 * database of this server, where every project may have tables, nothing is told (400 `BASE_OWN`).
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
/** What databases hold beside tables. @public */
export const DatabaseObjectsToken = createToken<DatabaseObjects>('database-objects');
