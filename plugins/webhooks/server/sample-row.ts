import type { ColumnSchema, ServerPluginContext, TableSchema } from '@trellis/sdk/server';
import type { CellValue, Row } from '@trellis/sdk/shared';
import type { HookOperation } from '../shared/index.ts';

const picture = [
  { url: 'https://example.com/sample.jpg', title: 'sample.jpg', mimetype: 'image/jpeg', size: 0 },
];

const byType: Readonly<Record<string, CellValue | (() => CellValue)>> = {
  ID: 1,
  AutoNumber: 1,
  ForeignKey: 1,
  SingleLineText: 'Text',
  LongText: 'Long text',
  Attachment: JSON.stringify(picture),
  Checkbox: true,
  Date: () => new Date().toISOString(),
  DateTime: () => new Date().toISOString(),
  CreateTime: () => new Date().toISOString(),
  LastModifiedTime: () => new Date().toISOString(),
  Year: 2000,
  Time: '11:00',
  PhoneNumber: '0000000000',
  Email: 'name@example.com',
  URL: 'https://example.com',
  Number: 123,
  Decimal: 123.1,
  Currency: '$123',
  Percent: '10',
  Duration: 123,
  Rating: 1,
  Formula: 'output',
  Rollup: 1,
  Count: 1,
  JSON: {},
  Geometry: {},
  SpecificDBType: null,
};
const leftOut: readonly string[] = ['Lookup', 'LinkToAnotherRecord', 'Links'];

/** A row of sample values in a webhook's form; for a deleted one only its key. */
export function sampleRow(ctx: ServerPluginContext, table: TableSchema, operation: HookOperation): Row {
  const types = ctx.registry('columnTypes');
  const valueOf = ({ type, meta }: ColumnSchema): CellValue => {
    if (type === 'SingleSelect' || type === 'MultiSelect') {
      const select = types.get(type);
      return select?.valuesInOrder?.({ ...select.options?.defaults, ...meta })?.[0] ?? '';
    }
    const value = Object.hasOwn(byType, type) ? byType[type] : null;
    return (typeof value === 'function' ? value() : value) ?? null;
  };
  const columns = operation === 'delete' ? table.primaryKey : table.columns;
  const told = columns.filter(
    ({ type, primaryKey }) => (primaryKey || type !== 'ForeignKey') && !leftOut.includes(type),
  );
  return Object.fromEntries(told.map((column) => [column.title, valueOf(column)]));
}
