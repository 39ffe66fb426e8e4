import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { LinkSchema } from './schema.ts';

/** One thing that is another one in the database than in the project. Names are those of the database. @public */
export type SchemaDifference =
  | { readonly kind: 'tableAdded' }
  /** `renamedTo` names what is new and looks the same, where nothing else does: most likely it is this one under another name. */
  | { readonly kind: 'tableRemoved'; readonly renamedTo?: string }
  | { readonly kind: 'columnAdded'; readonly column: string; readonly nativeType: string }
  | {
      readonly kind: 'columnRemoved';
      readonly column: string;
      readonly columnId: string;
      readonly renamedTo?: string;
    }
  | {
      /** Its native type, or whether it is part of the key, required or computed. */
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

/** A foreign key to a table of another schema, or of another database of the server: no link is made of it. @public */
export interface OutwardKey {
  readonly columns: readonly string[];
  /** The other schema or database. */
  readonly schema: string;
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

/** What of a table differs; a table without differences has none. @public */
export interface TableDifferences {
  /** Undefined for a table that the project does not have yet. */
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** The database of the table did not answer, so the table was not compared. */
  readonly isAway?: boolean;
  readonly differences: readonly SchemaDifference[];
  /** Foreign keys that lead out of what the project was opened on; absent where there are none. They are no difference. */
  readonly outwardKeys?: readonly OutwardKey[];
}

/** A table or column that the database has under another name now. @public */
export interface SchemaRename {
  /** Of the table or column in the project. */
  readonly id: string;
  /** The name in the database, which the project does not know yet. */
  readonly to: string;
}

/**
 * Compares a project with the database that it was opened on, which other applications may change.
 *
 * Tables, columns and links that are still there keep their ids, titles and views. What the database does not have any more goes to
 * the trash; what the project has deleted is not found again. A project of our own database never differs.
 * @public
 */
export interface SchemaSync {
  /**
   * Every table of the project, and those that are new in the database. Requires `metaDiff`. A database that is away keeps the others
   * from nothing; where none answers, its error is thrown.
   */
  differences(scope: AccessScope): Promise<readonly TableDifferences[]>;
  /**
   * Takes the differences over of the databases that answer; requires `metaDiffSync`. Throws 409 `SYNC_SHRANK` when more than half of the tables are gone, unless
   * `confirmed` is the title of the project: a database may be the wrong one, or half restored.
   *
   * What is named in `renames` is not gone: it keeps its id, its title and whatever hangs on it. Throws 400 `SYNC_RENAME` for a name
   * that is not new, or not gone.
   */
  apply(
    scope: AccessScope,
    options?: { readonly confirmed?: string; readonly renames?: readonly SchemaRename[] },
  ): Promise<void>;
}
/** Compares a project with its database. @public */
export const SchemaSyncToken = createToken<SchemaSync>('schema-sync');
