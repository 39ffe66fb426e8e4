import { expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { writeZip, type Files } from '@trellis/sdk/server';
import { openArchive } from './open-archive.ts';

const contents = Buffer.from(
  JSON.stringify({
    format: 'trellis-backup',
    version: 2,
    made_at: '2026-03-02T00:00:00.000Z',
    project: { title: 'Shop' },
    tables: [],
    files: {},
  }),
);

/** A line of an archive's directory: a file that is stored as it is, at the beginning of the archive. */
function entry(path: string, size: number, extra: number): Buffer {
  const name = Buffer.from(path);
  const line = Buffer.alloc(46 + name.length + extra);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt32LE(size, 20);
  line.writeUInt32LE(size, 24);
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(extra, 30);
  name.copy(line, 46);
  return line;
}

/** An archive of many empty files, each with as many bytes beside its name. */
function archiveOf(files: number, extra: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entries = Array.from({ length: files }, (_, index) => entry(`files/${index}`, 0, extra));
  const directory = Buffer.concat([entry('trellis.json', contents.length, 0), ...entries]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files + 1, 8);
  end.writeUInt16LE(files + 1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length + contents.length, 16);
  return Buffer.concat([local, contents, directory, end]);
}

const contentOf = (archive: Buffer): Pick<Files, 'read'> => ({
  read: (_, { part } = {}) =>
    Promise.resolve(Readable.from([archive.subarray(part?.start, (part?.end ?? archive.length) + 1)])),
});

test('a backup of a table with a thousand columns of which most are empty is read, however well it is packed', async () => {
  const line = (row: number) => `${JSON.stringify([row, ...Array.from({ length: 999 }, () => null)])}\n`;
  async function* entries() {
    yield { path: 'rows/001 Wide.jsonl', body: Array.from({ length: 8000 }, (_, row) => line(row)) };
    yield await Promise.resolve({ path: 'trellis.json', body: [contents] });
  }
  const archive = await buffer(writeZip(entries(), { at: new Date(0) }));
  const unpacked = line(0).length * 8000;
  expect(unpacked / archive.length).toBeGreaterThan(250);
  const kept = { ref: 'x', size: archive.length };
  const open = await openArchive(contentOf(archive), kept, new AbortController().signal);
  let lines = 0;
  for await (const part of (await open.read('rows/001 Wide.jsonl')) ?? [])
    lines += (part as Buffer).filter((byte) => byte === 10).length;
  expect(lines).toBe(8000);
  open.close();
});

test('what an archive says beside the names of its files takes no memory once it is open', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const archive = archiveOf(8000, 500);
  const files = contentOf(archive);
  collect();
  const before = process.memoryUsage().heapUsed;
  const open = await openArchive(files, { ref: 'x', size: archive.length }, new AbortController().signal);
  collect();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  expect(open.contents.project.title).toBe('Shop');
  open.close();
  expect(megabytes).toBeLessThan(20);
});
