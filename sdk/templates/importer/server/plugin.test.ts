import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { describePlugin } from '@trellis/sdk/testing/server';
import { readRows } from './read-rows.ts';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

async function read(text: string): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readRows(Readable.from([text]))) rows.push(row);
  return rows;
}

test('each line is a row', async () => {
  expect(await read('{"Name":"Ada"}\r\n\n{"Name":"Grace"}')).toEqual([{ Name: 'Ada' }, { Name: 'Grace' }]);
});

test.each(['{"Name":', '[1]', 'null'])('a line that is no row is named: %s', async (line) => {
  await expect(read(`{}\n${line}`)).rejects.toThrow('Line 2 is no object of JSON.');
});
