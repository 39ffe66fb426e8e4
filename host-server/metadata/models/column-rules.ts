/** The fields of a stored column that the rules look at. */
interface RuledColumn {
  readonly system: boolean;
  /** The id of the column type. */
  readonly uidt: string;
  readonly column_name: string;
  readonly primary_key: boolean;
  readonly auto_increment: boolean;
  readonly default_value: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null | undefined;
}

/** The type of columns that hold the key of a row of another table. */
export const foreignKeyType = 'ForeignKey';

/** The type of columns that show the links which a database has when it is opened, whichever plugin brings that type. */
export const linkType = 'LinkToAnotherRecord';

/** What a table's hidden column is stored as by which its rows are ordered; no column type has this id. */
export const rowOrderType = 'RowOrder';

/** Column names that hold when a row was made and changed; such columns count as system columns. */
const stampNames = new Set(['created_at', 'updated_at']);

/** Whether the server or the database fills a column, so that views hide it at first. */
export function isSystemColumn(row: RuledColumn): boolean {
  const isFilled = row.auto_increment || row.default_value !== null || row.meta?.ag !== undefined;
  return (
    row.system ||
    row.uidt === foreignKeyType ||
    stampNames.has(row.column_name) ||
    (row.primary_key && isFilled)
  );
}

/** Whether a view shows a column at first. Foreign keys are shown as long as no link column stands for them. */
export function isShownAtFirst(row: RuledColumn): boolean {
  return !isSystemColumn(row) || row.uidt === foreignKeyType;
}

/** As `isShownAtFirst`, for a column of an existing database: its keys are shown, since people know rows by them. */
export function isShownOfExternal(row: RuledColumn): boolean {
  return isShownAtFirst(row) || row.primary_key;
}
