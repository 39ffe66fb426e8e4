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
