import type { CellValue, ColumnTypeDefinition, Expression } from '../shared/index.ts';
import type { ColumnSchema, ProjectSnapshot } from './schema.ts';

/** What a column type may add on the server. @public */
export interface ColumnTypeServerPart {
  /** A native type out of the dialect's closed list, when the storage kind's default does not fit. */
  nativeType?(dialect: string): string | undefined;
  /** Between the wire value and the storage kind's own value. */
  toStorage?(value: CellValue): CellValue;
  fromStorage?(value: CellValue): CellValue;
  /**
   * For types whose columns are not in the database: what a cell is computed from. The tree may name other columns of the
   * table, computed ones too, and reach along its links. It must be the same for the same column and snapshot, and must not
   * throw. A column that depends on itself is refused when it is made.
   */
  compute?(column: ColumnSchema, snapshot: ProjectSnapshot): Expression;
  /** The type's options as clients of the v1 API read them, under `colOptions`; they stand in `meta` as well. */
  toColOptions?(column: ColumnSchema): unknown;
  /**
   * The options that a client means by `colOptions`; they are merged into the column's `meta` and checked by the type's schema.
   * Throws a `TrellisError` with status 400 that says what is wrong.
   */
  fromColOptions?(
    colOptions: unknown,
    meta: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
}

/** A column type as the server knows it: the pure part and what the server adds. @public */
export type ServerColumnType = ColumnTypeDefinition & { readonly server?: ColumnTypeServerPart };
