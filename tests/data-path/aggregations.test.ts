import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('figures over the rows of a table', (open) => {
  test('are the same on every database, for the rows of the query alone', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Figures');
    const { id } = await schema.createTable(scope, {
      title: 'Sales',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Shop', type: 'SingleLineText' },
        { title: 'Price', type: 'Decimal', precision: '10', scale: '2' },
        { title: 'Day', type: 'Date' },
      ],
    });
    const handle = await schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    await rowStore.createMany(handle, [
      { Shop: 'Bern', Price: '1.50', Day: '2026-01-02' },
      { Shop: 'Bern', Price: '2.25', Day: '2026-03-04' },
      { Shop: 'Basel', Price: null, Day: '2025-12-31' },
    ]);
    const figures = async (where?: string) =>
      (
        await rowStore.aggregate(handle, { where }, [
          { columnId: column('Shop'), aggregation: 'count' },
          { columnId: column('Shop'), aggregation: 'unique' },
          { columnId: column('Price'), aggregation: 'sum' },
          { columnId: column('Price'), aggregation: 'average' },
          { columnId: column('Price'), aggregation: 'maximum' },
          { columnId: column('Price'), aggregation: 'empty' },
          { columnId: column('Price'), aggregation: 'filled' },
          { columnId: column('Day'), aggregation: 'earliest' },
          { columnId: column('Shop'), aggregation: 'sum' },
          { columnId: column('Shop'), aggregation: 'median' },
        ])
      ).map((value) => (value === null ? null : String(value as string)));
    expect(await figures()).toEqual(['3', '2', '3.75', '1.875', '2.25', '1', '2', '2025-12-31', null, null]);
    expect(await figures('(Shop,eq,Basel)')).toEqual([
      '1',
      '1',
      null,
      null,
      null,
      '1',
      '0',
      '2025-12-31',
      null,
      null,
    ]);
    await expect(
      rowStore.aggregate(handle, {}, [{ columnId: 'cl_unknown', aggregation: 'sum' }]),
    ).rejects.toMatchObject({ status: 400, code: 'AGGREGATE_COLUMN_UNKNOWN' });
    await path.dispose();
  });
});
