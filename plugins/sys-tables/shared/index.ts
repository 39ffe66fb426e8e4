/** Tables that are found by a text at most. */
export const mostFoundTables = 50;

/** A table that was found by its title, with its project. */
export interface FoundTable {
  readonly id: string;
  readonly title: string;
  readonly project: { readonly id: string; readonly title: string };
}

/** A deleted table or column, as the route of the trash answers it. */
export interface TrashEntity {
  readonly kind: 'table' | 'column';
  readonly id: string;
  readonly title: string;
  /** The column type's id; null for a table. */
  readonly uidt: string | null;
  /** The table of a column. */
  readonly table: { readonly id: string; readonly title: string } | null;
  readonly deleted_at: string;
  /** When it is dropped for good. */
  readonly drops_at: string;
  /** False for what stands in a database that was there before, which keeps it whatever happens here. */
  readonly is_meta: boolean;
}

/** One thing that is another one in the database than in the project, as the v1 API calls it. */
export interface DetectedChange {
  readonly type: string;
  readonly msg: string;
  readonly id?: string;
  /** A column, and the table of a link, by their names in the database. */
  readonly cn?: string;
  readonly tn?: string;
  /** The table and column at the other end of a link. */
  readonly rtn?: string;
  readonly rcn?: string;
  /** What a table or column that is gone is most likely called now. An extra of ours. */
  readonly renamedTo?: string;
  readonly [key: string]: unknown;
}

/** What of one table differs from its database. */
export interface TableDiff {
  /** Absent for a table that the project does not have yet. */
  readonly title?: string;
  readonly table_name: string;
  readonly type: 'table' | 'view';
  /** The database did not answer, so the table was not compared: what the database is called, empty where nobody named it. */
  readonly away?: string;
  readonly detectedChanges: readonly DetectedChange[];
  /** Foreign keys to tables outside of what the project was opened on, of which no links are made. An extra of ours. */
  readonly outward?: readonly OutwardEntity[];
}

/** A foreign key to a table of another schema. Several columns are separated by commas. */
export interface OutwardEntity {
  readonly cn: string;
  readonly schema: string;
  readonly rtn: string;
  readonly rcn: string;
}
