import { expect, test } from '@jest/globals';
import { readSheet } from 'read-excel-file/node';
import { describeClient, names } from './ground.ts';

describeClient('rows through a view', ({ withCities }) => {
  test('makes, finds, reads, groups, changes and deletes rows, and reads the whole table as CSV and as a workbook', async () => {
    const { api, view } = await withCities();
    const place = ['noco', 'Atlas', 'City', view] as const;
    const made = (await api.dbViewRow.create(...place, { Name: 'Rome', People: 2_800_000 })) as {
      Id: number;
    };
    expect(made).toMatchObject({ Name: 'Rome', People: expect.anything() });
    const id = String(made.Id);
    expect(await api.dbViewRow.read(...place, id as never)).toMatchObject({ Name: 'Rome' });
    expect(await api.dbViewRow.findOne(...place, { where: '(Name,eq,Bern)' } as never)).toMatchObject({
      Name: 'Bern',
    });
    expect(await api.dbViewRow.groupBy(...place, { column_name: 'name' } as never)).toMatchObject({
      list: expect.arrayContaining([expect.objectContaining({ count: 1, name: 'Rome' })]),
    });
    expect(await api.dbViewRow.update(...place, id as never, { Name: 'Roma' })).toMatchObject({
      Name: 'Roma',
    });
    expect(names(await api.dbViewRow.list(...place))).toEqual(['Oslo', 'Bern', 'Lima', 'Roma']);
    expect(await api.dbViewRow.exist(...place, id as never)).toBe(true);
    expect(await api.dbViewRow.delete(...place, id as never)).toBe(1);
    expect(await api.dbViewRow.exist(...place, id as never)).toBe(false);
    const csv = (await api.dbTableRow.csvExport('noco', 'Atlas', 'City', 'csv')) as unknown as {
      readonly data: string;
    };
    expect(
      csv.data
        .trim()
        .split(/\r?\n/)
        .map((line) => line.replace(/^[^,]*,/, '')),
    ).toEqual(['Name,People', 'Oslo,700000', 'Bern,130000', 'Lima,10000000']);
    const workbook = (await api.dbTableRow.csvExport('noco', 'Atlas', 'City', 'excel')) as unknown as {
      readonly data: string;
    };
    const sheet = await readSheet(Buffer.from(workbook.data, 'base64'));
    expect(sheet.map((row) => row.slice(1))).toEqual([
      ['Name', 'People'],
      ['Oslo', 700_000],
      ['Bern', 130_000],
      ['Lima', 10_000_000],
    ]);
    expect(
      await api.dbTableRow.findOne('noco', 'Atlas', 'City', { where: '(Name,eq,Roma)' } as never),
    ).toEqual({});
  });
});
