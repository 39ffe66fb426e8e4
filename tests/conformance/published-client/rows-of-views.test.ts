import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

describeClient('rows through a view', ({ withCities }) => {
  test('makes, finds, reads, groups, changes and deletes rows, and reads the whole table as CSV', async () => {
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
    expect(
      await api.dbTableRow.findOne('noco', 'Atlas', 'City', { where: '(Name,eq,Roma)' } as never),
    ).toEqual({});
  });
});
