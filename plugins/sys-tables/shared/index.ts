/** The most tables that a search returns. */
export const mostFoundTables = 50;

/** A table found by its title, with its project. */
export interface FoundTable {
  readonly id: string;
  readonly title: string;
  readonly project: { readonly id: string; readonly title: string };
}

/** A deleted table or column in answers of the trash. */
export interface TrashEntity {
  readonly kind: 'table' | 'column';
  readonly id: string;
  readonly title: string;
  /** The column type's id; null for a table. */
  readonly uidt: string | null;
  /** The table of a column. */
  readonly table: { readonly id: string; readonly title: string } | null;
  readonly deleted_at: string;
  /** When it is dropped permanently. */
  readonly drops_at: string;
  /** False for objects of an existing database, which keeps them whatever happens here. */
  readonly is_meta: boolean;
}

/** One difference between the database and the project, in the terms of the v1 API. */
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
  /** The probable new name of a missing table or column; an extension of the v1 API. */
  readonly renamedTo?: string;
  readonly [key: string]: unknown;
}

/** The differences between a table and its database. */
export interface TableDiff {
  /** Absent for a table that the project does not have yet. */
  readonly title?: string;
  readonly table_name: string;
  readonly type: 'table' | 'view';
  /** Set if the database did not answer, so that the table was not compared: the database's alias, or empty. */
  readonly away?: string;
  readonly detectedChanges: readonly DetectedChange[];
  /** Foreign keys to tables outside the opened schema, which do not become links; an extension of the v1 API. */
  readonly outward?: readonly OutwardEntity[];
}

/** A foreign key to a table of another schema. Several columns are separated by commas. */
export interface OutwardEntity {
  readonly cn: string;
  readonly schema: string;
  readonly rtn: string;
  readonly rcn: string;
}
