import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { LinkSchema } from './schema.ts';

/** A difference between database and project. Names are those in the database. @public */
export type SchemaDifference =
  | { readonly kind: 'tableAdded' }
  /** `renamedTo` is the only new object with the same shape: probably the same one under a new name. */
  | { readonly kind: 'tableRemoved'; readonly renamedTo?: string }
  | { readonly kind: 'columnAdded'; readonly column: string; readonly nativeType: string }
  | {
      readonly kind: 'columnRemoved';
      readonly column: string;
      readonly columnId: string;
      readonly renamedTo?: string;
    }
  | {
      /** A change of its native type, or of whether it is part of the key, required or computed. */
      readonly kind: 'columnTypeChanged' | 'columnRulesChanged';
      readonly column: string;
      readonly columnId: string;
      readonly nativeType: string;
    }
  | {
      readonly kind: 'linkAdded' | 'linkRemoved';
      readonly link: LinkSchema['kind'];
      readonly linkId: string;
      readonly columns: readonly string[];
      readonly toTable: string;
      readonly toColumns: readonly string[];
    };

/** A foreign key to a table in another schema or database of the server; no link is made for it. @public */
export interface OutwardKey {
  readonly columns: readonly string[];
  /** The other schema or database. */
  readonly schema: string;
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

/** The differences of a table; a table without differences is listed with none. @public */
export interface TableDifferences {
  /** Undefined for a table that the project does not have yet. */
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** True if the table's database did not answer, so that it was not compared. */
  readonly isAway?: boolean;
  readonly differences: readonly SchemaDifference[];
  /** Foreign keys to tables outside of the base; undefined if there are none. They do not count as differences. */
  readonly outwardKeys?: readonly OutwardKey[];
}

/** A table or column with a new name in the database. @public */
export interface SchemaRename {
  /** The id of the table or column in the project. */
  readonly id: string;
  /** The new name in the database, which the project does not know yet. */
  readonly to: string;
}

/**
 * Compares a project with its external databases, which other applications may change.
 *
 * Tables, columns and links that still exist keep their ids, titles and views. Objects that the database no longer has go to the
 * trash; objects that the project has deleted are not added again. Tables in the server's own database never differ.
 * @public
 */
export interface SchemaSync {
  /**
   * All tables of the project, and the new ones in the database. Requires `metaDiff`. If some databases do not answer, the others
   * are still compared; if none answers, its error is thrown.
   */
  differences(scope: AccessScope): Promise<readonly TableDifferences[]>;
  /**
   * Applies the differences of the databases that answer; requires `metaDiffSync`. Throws 409 `SYNC_SHRANK` when more than half
   * of the tables are gone, unless `confirmed` is the title of the project: it may be the wrong database, or a half restored one.
   *
   * Objects in `renames` keep their id, title and everything that depends on them. Throws 400 `SYNC_RENAME` if the new name is
   * not new, or the object is not gone.
   */
  apply(
    scope: AccessScope,
    options?: { readonly confirmed?: string; readonly renames?: readonly SchemaRename[] },
  ): Promise<void>;
}
/** Compares a project with its database. @public */
export const SchemaSyncToken = createToken<SchemaSync>('schema-sync');
