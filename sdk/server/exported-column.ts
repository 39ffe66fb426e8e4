import type { CellValue, ColumnContext, RegistryView, SheetNumber } from '../shared/index.ts';
import type { ServerColumnType } from './column-types.ts';
import type { ColumnSchema } from './schema.ts';

/** A column of an export. @public */
export interface ExportedColumn {
  readonly title: string;
  /** Undefined while the plugin of the type is off. */
  readonly type: ServerColumnType | undefined;
  /** A cell as text: formatted by its type, else as stored. */
  text(value: CellValue): string;
  /** How a spreadsheet shows a number of the column; undefined: unchanged. */
  sheetNumber(value: CellValue): SheetNumber | undefined;
}

/** How the cells of a column are written to files. @public */
export function exportedColumn(
  column: ColumnSchema,
  types: Pick<RegistryView<ServerColumnType>, 'get'>,
): ExportedColumn {
  const type = types.get(column.type);
  const context: ColumnContext = {
    id: column.id,
    title: column.title,
    required: column.required,
    storage: column.storage,
    options: { ...type?.options?.defaults, ...column.meta },
  };
  return {
    title: column.title,
    type,
    text(value) {
      if (value === null || value === undefined) return '';
      try {
        if (type) return type.format(value, context);
      } catch {
        // The error was charged to the type's plugin. One cell must not prevent the export of all others.
      }
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    },
    sheetNumber(value) {
      try {
        return type?.sheetNumber?.(value, context);
      } catch {
        return undefined;
      }
    },
  };
}
