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

/** An archive with this `trellis.json`. */
async function archiveSaying(text: string): Promise<Buffer> {
  async function* entries() {
    yield await Promise.resolve({ path: 'trellis.json', body: [Buffer.from(text)] });
  }
  return buffer(writeZip(entries(), { at: new Date(0) }));
}

const opened = (archive: Buffer) =>
  openArchive(contentOf(archive), { ref: 'x', size: archive.length }, new AbortController().signal);

/** The most processor time for which nobody else had a turn while something went on, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const before = process.cpuUsage();
      await new Promise(setImmediate);
      longest = Math.max(longest, process.cpuUsage(before).user / 1000);
    }
  })();
  await work();
  isOver = true;
  await watching;
  return longest;
}

const head = contents.toString().slice(0, -1);

test.each([
  ['what no archive says', `${head},"pad":[${'{},'.repeat(20_000_000)}{}]}`],
  ['tables', head.replace('"tables":[]', () => `"tables":[${'[],'.repeat(3_000_000)}[]]`)],
  [
    'columns of a table',
    head.replace('"tables":[]', () => `"tables":[{"columns":[[${'{},'.repeat(3_000_000)}{}]]}]`),
  ],
  ['different keys', `${head},"pad":{"a":{"b":{"c":{${manyKeys(100_000)}}}}}}`],
])('a small archive that unfolds to millions of %s is refused, and nobody waits for it', async (_, text) => {
  const archive = await archiveSaying(text);
  const longest = await longestTurn(() =>
    expect(opened(archive)).rejects.toMatchObject({ code: 'RESTORE_UNPACKS' }),
  );
  expect(longest).toBeLessThan(500);
});

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
}

test('of an archive of another format or version no more is read than where it says so', async () => {
  const read = async (text: string) => opened(await archiveSaying(text));
  await expect(read('{"format":"trellis-backup","version":1,"tables":no JSON')).rejects.toMatchObject({
    code: 'RESTORE_VERSION',
    params: { version: '1' },
  });
  const other = `{"format":"other","version":2,"tables":[${'{},'.repeat(3_000_000)}{}]}`;
  await expect(read(other)).rejects.toMatchObject({ code: 'RESTORE_NO_BACKUP' });
});

test.each([
  ['is cut off', head],
  ['goes on behind its end', `${head}} 1`],
  ['lacks a comma', `${head} "pad":1}`],
  ['lacks a colon', `${head},"pad" 1}`],
  ['lacks a key', `${head},}`],
  ['ends a list like an object', head.replace('"tables":[]', '"tables":[}')],
  ['holds a word that is none', `${head},"pad":nothing}`],
  ['is empty', ''],
])('a file that %s is no backup', async (_, text) => {
  await expect(archiveSaying(text).then(opened)).rejects.toMatchObject({ code: 'RESTORE_NO_BACKUP' });
});

test('a project of 200 tables with a hundred columns and five views each is read, and nobody waits for it', async () => {
  const id = (kind: string, at: number) => `${kind}_${String(at).padStart(14, '0')}`;
  const each = <Item>(count: number, make: (at: number) => Item) =>
    Array.from({ length: count }, (_, at) => make(at));
  const columns = (table: number) =>
    each(100, (at) => ({
      id: id('cl', table * 100 + at),
      title: `Column "${at}" — größer\n`,
      columnName: `column_${at}`,
      type: 'SingleSelect',
      nativeType: 'text',
      primaryKey: at === 0,
      autoIncrement: false,
      autoUpdate: false,
      required: false,
      unsigned: false,
      unique: false,
      display: at === 1,
      order: at + 0.5,
      meta: { options: each(3, (option) => ({ id: id('op', option), title: `Option ${option}` })) },
    }));
  const views = (table: number) =>
    each(5, (view) => ({
      id: id('vw', table * 5 + view),
      title: `View ${view}`,
      type: 'grid',
      isDefault: view === 0,
      showSystemFields: false,
      lockType: 'collaborative',
      order: view,
      columns: each(100, (at) => ({
        columnId: id('cl', table * 100 + at),
        show: true,
        order: at,
        width: 200,
      })),
      sorts: [],
      filters: [],
    }));
  const tables = each(200, (table) => ({
    id: id('md', table),
    title: `Table ${table}`,
    tableName: `table_${table}`,
    kind: 'table',
    junction: false,
    order: table,
    columns: columns(table),
    links: [],
    viewGroups: [],
    views: views(table),
    rows: { file: `rows/${table}.jsonl`, columns: [], count: 1e3, arranged: false },
  }));
  const files = Object.fromEntries(each(100_000, (at) => [id('fl', at), `picture ${at}.png`]));
  const written = { ...(JSON.parse(`${head}}`) as object), tables, files };
  const text = JSON.stringify(written, undefined, 2);
  expect(text.length).toBeLessThan(48 * 1024 * 1024);
  const archive = await archiveSaying(text);
  let open: Awaited<ReturnType<typeof opened>> | undefined;
  const longest = await longestTurn(async () => {
    open = await opened(archive);
  });
  const read = open?.contents;
  open?.close();
  expect(read?.files.size).toBe(100_000);
  expect(read?.tables.map(({ columns: list }) => list.length)).toEqual(each(200, () => 100));
  const last = read?.tables.at(-1);
  expect(last?.columns.map(({ title, order, meta }) => ({ title, order, meta }))).toEqual(
    columns(199).map(({ title, order, meta }) => ({ title, order, meta })),
  );
  expect(last?.views).toEqual(views(199));
  expect(longest).toBeLessThan(500);
});
