import {
  exportedColumn,
  writeZip,
  type Exporter,
  type ExportOptions,
  type RowStream,
  type ZipEntry,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { cellOf, type Cell } from './cell.ts';
import { NumberFormats } from './number-formats.ts';
import { RowFeed } from './row-feed.ts';
import { mostRows, sheetXml } from './sheet-xml.ts';
import { sheetPath, workbookParts } from './workbook-xml.ts';

/** Writes rows as a workbook, streaming sheet by sheet, so that memory does not grow with the table. */
export const excelExporter: Exporter = {
  id: 'xlsx',
  label: 'Excel',
  extension: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  write: (rows, options) =>
    writeZip(workbook(rows, options), { at: new Date() }) as AsyncIterable<Uint8Array>,
};

/** The same for clients of the v1 API: base64, since they read answers as text. */
export const v1Exporter: Exporter = {
  ...excelExporter,
  id: 'excel',
  label: 'Excel, as text (base64)',
  mediaType: 'text/plain; charset=utf-8',
  isForPrograms: true,
  write: (rows, options) => base64Of(excelExporter.write(rows, options)),
};

/** Three bytes are four characters: the remainder of a chunk is encoded with the next one. */
async function* base64Of(parts: AsyncIterable<string | Uint8Array>): AsyncIterable<string> {
  let rest = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([rest, Buffer.from(part as Uint8Array)]);
    const end = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, end);
    rest = bytes.subarray(end);
  }
  yield rest.toString('base64');
}

/** The files of a workbook. Rows beyond a sheet's limit continue in another sheet. */
export async function* workbook(
  { columns, batches }: RowStream,
  { types, title = 'Rows' }: Pick<ExportOptions, 'types' | 'title'>,
  rowsOfSheet = mostRows - 1,
): AsyncIterable<ZipEntry> {
  const exported = columns.map((column) => exportedColumn(column, types));
  const formats = new NumberFormats();
  const cells = (row: Row): readonly (Cell | undefined)[] =>
    exported.map((column) => cellOf(row[column.title] ?? null, column, formats));
  const titles = exported.map((column) => column.title);
  const feed = new RowFeed(batches);
  try {
    let sheets = 0;
    do {
      sheets += 1;
      yield { path: sheetPath(sheets), body: sheetXml(titles, feed.take(rowsOfSheet, cells)) };
    } while (await feed.hasMore());
    yield* workbookParts({ title, sheets, formats: formats.codes });
  } finally {
    await feed.close();
  }
}
