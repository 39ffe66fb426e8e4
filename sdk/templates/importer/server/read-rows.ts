import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { RowInput } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

/**
 * Rows by column title, one for each line, and one at a time: a file may be larger than memory.
 *
 * @throws TrellisError with status 400 that names the line
 */
export async function* readRows(content: Readable): AsyncIterable<RowInput> {
  let number = 0;
  for await (const line of createInterface({ input: content, crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() !== '') yield readRow(line, number);
  }
}

function readRow(line: string, number: number): RowInput {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as RowInput;
  } catch (error) {
    throw wrongLine(number, error);
  }
  throw wrongLine(number);
}

function wrongLine(number: number, cause?: unknown): TrellisError {
  const message = `Line ${number} is no object of JSON.`;
  return new TrellisError('MY_PLUGIN_LINE', message, { status: 400, params: { line: number }, cause });
}
