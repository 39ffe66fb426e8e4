import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExportOptions, RowStream } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import readWorkbook, { readSheet } from 'read-excel-file/node';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { excelExporter, workbook } from './excel-exporter.ts';
import { dayOf, momentOf, timeOf } from './serials.ts';
import { escapeText, lettersOf } from './sheet-xml.ts';
import { sheetName } from './workbook-xml.ts';

/** A file of an archive as text. */
async function fileOf(archive: Buffer, name: string): Promise<string> {
  const open = promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer);
  const zip = await open(archive, { lazyEntries: true });
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName !== name) return zip.readEntry();
      zip.openReadStream(entry, (error, stream) => {
        if (error) reject(error);
        else
          void stream.toArray().then((parts) => resolve(Buffer.concat(parts as Buffer[]).toString()), reject);
      });
    });
    zip.on('end', () => reject(new Error(`no ${name}`)));
    zip.readEntry();
  });
}

async function bytesOf(parts: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  return Buffer.concat(
    await Readable.from(parts, { objectMode: true })
      .map((part: Uint8Array) => Buffer.from(part))
      .toArray(),
  );
}

describe('a view as a workbook', () => {
  let server: TestServer;
  let owner: TestClient;
  let path: string;
  let view: { readonly id: string; readonly title: string };
  let viewPath: string;

  const long = `${'x'.repeat(40_000)}`;
  const odd = 'a\u0007b <c> & "d" _x0041_ \r\n  end ';
  const rows: readonly Record<string, unknown>[] = [
    {
      Name: '=1+2',
      Count: 3,
      Big: '9007199254740993',
      Price: '12.50',
      Share: 25,
      Cost: '1234.5',
      Done: true,
      Day: '2026-11-26',
      At: '2026-11-26 12:30:00',
      Time: '18:00:00',
      Length: 5400,
      Kind: 'red, dark',
    },
    { Name: odd, Done: false, Day: '1850-01-01', Price: '12345678901234567.25', Note: long },
    { Name: '@SUM(A1)', Count: -7 },
  ];

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp('owner@example.com');
    const project = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body;
    const column = (title: string, uidt: string) => ({ column_name: title.toLowerCase(), title, uidt });
    const made = await owner.post<{ id: string; views: { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${project.id}/tables`,
      {
        table_name: 'things',
        title: 'Things',
        columns: [
          { column_name: 'id', title: 'Id', uidt: 'ID' },
          column('Name', 'SingleLineText'),
          column('Count', 'Number'),
          column('Big', 'Number'),
          column('Price', 'Decimal'),
          column('Share', 'Percent'),
          { ...column('Cost', 'Currency'), meta: { currency_code: 'EUR', currency_locale: 'de-DE' } },
          column('Done', 'Checkbox'),
          column('Day', 'Date'),
          column('At', 'DateTime'),
          column('Time', 'Time'),
          column('Length', 'Duration'),
          column('Kind', 'SingleLineText'),
          column('Note', 'LongText'),
        ],
      },
    );
    [view = { id: '', title: '' }] = made.body.views;
    path = `/api/v1/db/data/noco/${project.id}/Things`;
    viewPath = `${path}/views/${view.id}`;
    const answer = await owner.post(`/api/v1/db/data/bulk/noco/${project.id}/Things`, rows);
    expect(answer.status).toBe(200);
  });
  afterAll(() => server?.dispose());

  async function download(address: string): Promise<Buffer> {
    const answer = await fetch(`${server.url}${address}`, { headers: { 'xc-auth': owner.token ?? '' } });
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    });
    expect(answer.headers.get('content-disposition')).toContain('Things-export.xlsx');
    return Buffer.from(await answer.arrayBuffer());
  }

  test('numbers, dates, times and checkboxes are what they are', async () => {
    const fields = 'Name,Count,Price,Share,Done,Day,At,Time,Length,Kind';
    const [titles, first] = await readSheet(await download(`${path}/export/xlsx?fields=${fields}`));
    expect(titles).toEqual(fields.split(','));
    expect(first?.slice(0, 7)).toEqual([
      '=1+2',
      3,
      12.5,
      0.25,
      true,
      new Date('2026-11-26T00:00:00Z'),
      new Date('2026-11-26T12:30:00Z'),
    ]);
    const sheet = await fileOf(
      await download(`${path}/export/xlsx?fields=${fields}`),
      'xl/worksheets/sheet1.xml',
    );
    expect(sheet).toContain('<c r="H2" s="4"><v>0.75</v></c>');
    expect(sheet).toContain('<c r="I2" s="5"><v>0.0625</v></c>');
    expect(sheet).toContain('<c r="D2" s="7"><v>0.25</v></c>');
    expect(first?.[9]).toBe('red, dark');
  });

  test('shares and amounts of money are numbers in the formats of their columns', async () => {
    const file = await download(`${path}/export/xlsx?fields=Share,Cost`);
    const [, first] = await readSheet(file);
    expect(first).toEqual([0.25, 1234.5]);
    expect(await fileOf(file, 'xl/worksheets/sheet1.xml')).toContain('<c r="B2" s="8"><v>1234.5</v></c>');
    const look = await fileOf(file, 'xl/styles.xml');
    expect(look).toContain('<numFmt numFmtId="166" formatCode="0%"/>');
    expect(look).toContain('<numFmt numFmtId="167" formatCode="#,##0.00&quot;\u00a0€&quot;"/>');
    expect(look).toContain('<cellXfs count="9">');
  });

  test('what a sheet cannot hold exactly is a text, and what it cannot hold at all is cut in sight', async () => {
    const read = await readSheet(
      await download(`${path}/export/xlsx?fields=Name,Big,Price,Day,Note&sort=Id`),
      { trim: false },
    );
    expect(read[1]?.[1]).toBe('9007199254740993');
    expect(read[2]?.[2]).toBe('12345678901234567.25');
    expect(read[2]?.[3]).toBe('1850-01-01');
    expect(read[2]?.[4]).toBe(`${'x'.repeat(32_766)}…`);
  });

  test('no text is a formula, before or after somebody edits the cell', async () => {
    const sheet = await fileOf(
      await download(`${path}/export/xlsx?fields=Name&sort=Id`),
      'xl/worksheets/sheet1.xml',
    );
    expect(sheet).not.toContain('<f');
    expect(sheet).toContain('<c r="A2" s="6" t="inlineStr"><is><t xml:space="preserve">=1+2</t></is></c>');
    expect(sheet).toContain('<c r="A4" s="6" t="inlineStr">');
    expect(sheet).toContain(
      '<t xml:space="preserve">a_x0007_b &lt;c&gt; &amp; &quot;d&quot; _x005F_x0041_ _x000D_\n  end </t>',
    );
  });

  test('a view gives a sheet of its name with its columns and rows', async () => {
    const meta = '/api/v1/db/meta';
    await owner.patch(`${meta}/views/${view.id}`, { title: 'Red [things]: all / of them, and more' });
    const columns = (
      await owner.get<{ id: string; fk_column_id: string }[]>(`${meta}/views/${view.id}/columns`)
    ).body;
    const table = (await owner.get<{ list: { id: string }[] }>(`${path}?limit=1`)).status;
    expect(table).toBe(200);
    for (const { id } of columns.slice(3))
      await owner.patch(`${meta}/views/${view.id}/columns/${id}`, { show: false });
    const answer = await fetch(`${server.url}${viewPath}/export/xlsx?where=(Count,gt,0)`, {
      headers: { 'xc-auth': owner.token ?? '' },
    });
    const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Red things all of them, and mor']);
    expect(sheets[0]?.data).toHaveLength(2);
    expect(sheets[0]?.data[0]?.length).toBeLessThan(13);
  });

  test('clients of the v1 API get the file as text', async () => {
    const answer = await fetch(`${server.url}${path}/export/excel?fields=Name,Count&sort=Id`, {
      headers: { 'xc-auth': owner.token ?? '' },
    });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await answer.text();
    expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect((await readSheet(Buffer.from(text, 'base64')))[1]).toEqual(['=1+2', 3]);
  });

  test('a stranger with a link gets the columns of the view, and none where downloads are off', async () => {
    const meta = '/api/v1/db/meta';
    const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/views/${view.id}/share`, {})).body;
    const address = `${server.url}/api/v1/db/public/shared-view/${uuid}/rows/export/xlsx`;
    const sheet = await readSheet(Buffer.from(await (await fetch(address)).arrayBuffer()));
    expect(sheet[0]).not.toContain('Note');
    expect(sheet).toHaveLength(4);
    await owner.patch(`${meta}/views/${view.id}/share`, { meta: { allowCSVDownload: false } });
    expect((await fetch(address)).status).toBe(403);
  });
});

describe('many rows', () => {
  const types = { get: () => undefined } as unknown as ExportOptions['types'];
  const column = {
    id: 'cl_a',
    title: 'Name',
    type: 'Gone',
    storage: 'string',
    meta: undefined,
    required: false,
  };

  function streamOf(batches: number, size: number) {
    const seen = { taken: 0, isClosed: false };
    async function* read(): AsyncGenerator<readonly Row[]> {
      try {
        for (; seen.taken < batches; seen.taken += 1) {
          const noise = () => Math.random().toString(36);
          yield Array.from({ length: size }, () => ({ Name: noise() + noise() }));
        }
      } finally {
        seen.isClosed = true;
      }
    }
    return { seen, rows: { columns: [column], batches: read() } as unknown as RowStream };
  }

  test('are read as fast as somebody takes the file, and no longer than somebody does', async () => {
    const { seen, rows } = streamOf(200, 500);
    const parts = excelExporter.write(rows, { types, raw: false })[Symbol.asyncIterator]();
    await parts.next();
    await parts.next();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen.taken).toBeLessThan(50);
    await parts.return?.();
    while (!seen.isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.taken).toBeLessThan(50);
  });

  test('100,000 make one whole sheet', async () => {
    const { rows } = streamOf(200, 500);
    const sheet = await readSheet(await bytesOf(excelExporter.write(rows, { types, raw: false })));
    expect(sheet).toHaveLength(100_001);
  });

  test('go on in a further sheet where one is full', async () => {
    const { rows } = streamOf(3, 5);
    const paths: string[] = [];
    const lines: number[] = [];
    for await (const { path, body } of workbook(rows, { types, title: 'Cities' }, 7)) {
      paths.push(path);
      let xml = '';
      for await (const part of body) xml += String(part);
      if (path.includes('sheets/')) lines.push(xml.split('<row ').length - 1);
      if (path === 'xl/workbook.xml') expect(xml).toContain('name="Cities (2)"');
    }
    expect(lines).toEqual([8, 8, 2]);
    expect(paths.slice(0, 3)).toEqual([1, 2, 3].map((at) => `xl/worksheets/sheet${at}.xml`));
  });

  test('that fail half-way leave no file that looks whole', async () => {
    async function* failing(): AsyncGenerator<readonly Row[]> {
      yield [{ Name: 'a' }];
      throw new Error('gone');
    }
    const rows = { columns: [column], batches: failing() } as unknown as RowStream;
    await expect(bytesOf(excelExporter.write(rows, { types, raw: false }))).rejects.toThrow('gone');
  });
});

test('days and times are counted as sheets count them', () => {
  expect(dayOf('1900-03-01')).toBe(61);
  expect(dayOf('1900-02-28')).toBeUndefined();
  expect(dayOf('9999-12-31')).toBe(2_958_465);
  expect(dayOf('2026-02-31x')).toBeUndefined();
  expect(momentOf('2026-11-26T12:00:00+02:00')).toBe(momentOf('2026-11-26 10:00:00'));
  expect(momentOf('2026-11-26 10:00:00+00')).toBe(46_352 + 10 / 24);
  expect(timeOf('06:00')).toBe(0.25);
  expect(timeOf('24:00:00')).toBeUndefined();
});

test('names and texts are what programs take', () => {
  expect(sheetName("'Sales'", 1)).toBe('Sales');
  expect(sheetName('///', 1)).toBe('rows');
  expect(sheetName('History', 1)).toBe('History rows');
  expect(sheetName('x'.repeat(40), 2)).toBe(`${'x'.repeat(27)} (2)`);
  expect([lettersOf(0), lettersOf(25), lettersOf(26), lettersOf(16_383)]).toEqual(['A', 'Z', 'AA', 'XFD']);
  expect(escapeText('\u{1F600}\uD83D')).toBe('\u{1F600}\uFFFD');
});
