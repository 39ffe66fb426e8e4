import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';
import type { JsonSchema, StorageKind } from '@trellis/sdk/shared';
import { schema } from './references.ts';

/** The JSON type of cells of each storage kind. Whole numbers beyond 2^53 and decimals are texts. */
const valuesOf: Readonly<Record<Exclude<StorageKind, 'json' | 'virtual'>, JsonSchema>> = {
  boolean: { type: ['boolean', 'null'] },
  integer: { type: ['integer', 'null'] },
  bigint: { type: ['integer', 'string', 'null'] },
  decimal: { type: ['number', 'string', 'null'] },
  float: { type: ['number', 'null'] },
  string: { type: ['string', 'null'] },
  text: { type: ['string', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  time: { type: ['string', 'null'], examples: ['09:30:00'] },
  datetime: { type: ['string', 'null'], examples: ['2026-03-01 09:30:00'] },
  binary: { type: ['string', 'null'] },
};

function valueOf({ storage, linkId }: ColumnSchema, table: TableSchema): JsonSchema {
  if (linkId !== undefined) {
    const link = table.links.find(({ id }) => id === linkId);
    const isOne = link?.kind === 'belongsTo';
    return isOne ? { type: ['object', 'null'] } : { type: 'array', items: { type: 'object' } };
  }
  // The type of JSON and formula cells differs from column to column.
  return storage === 'json' || storage === 'virtual' ? {} : valuesOf[storage];
}

function describedColumn(column: ColumnSchema, table: TableSchema): JsonSchema {
  const { description } = column;
  return { ...valueOf(column, table), ...(description !== undefined && { description }) };
}

function propertiesOf(columns: readonly ColumnSchema[], table: TableSchema): JsonSchema['properties'] {
  return Object.fromEntries(columns.map((column) => [column.title, describedColumn(column, table)]));
}

/** A row in answers. No column is required, since a call may request only some. */
export function rowSchema(table: TableSchema, columns: readonly ColumnSchema[]): JsonSchema {
  return { type: 'object', properties: propertiesOf(columns, table) };
}

function isWritten({ storage, generated, autoIncrement }: ColumnSchema): boolean {
  return storage !== 'virtual' && !generated && !autoIncrement;
}

/** The cells that a call may write. */
export function inputSchema(table: TableSchema, columns: readonly ColumnSchema[]): JsonSchema {
  return { type: 'object', properties: propertiesOf(columns.filter(isWritten), table) };
}

/** A new row: the writable cells, by the schema of this name, and the required ones. */
export function newRowSchema(input: string, columns: readonly ColumnSchema[]): JsonSchema {
  const required = columns
    .filter((column) => isWritten(column) && column.required && column.defaultValue === undefined)
    .map(({ title }) => title);
  return { allOf: [schema(input), ...(required.length > 0 ? [{ required }] : [])] };
}
