import { exportedColumn, type Exporter } from '@trellis/sdk/server';

/** Writes each row as a line of JSON, its cells as people read them. */
export const jsonLines: Exporter = {
  id: 'acme-lines',
  label: 'Lines of JSON',
  extension: 'jsonl',
  mediaType: 'application/jsonl; charset=utf-8',
  // Batch by batch, so that memory does not grow with the table.
  async *write({ columns, batches }, { types }) {
    const cells = columns.map((column) => exportedColumn(column, types));
    for await (const rows of batches)
      yield rows
        .map((row) => cells.map(({ title, text }) => [title, text(row[title] ?? null)] as const))
        .map((entries) => `${JSON.stringify(Object.fromEntries(entries))}\n`)
        .join('');
  },
};
