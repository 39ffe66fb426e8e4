import { expect, test } from '@jest/globals';
import { describeLinks, type Row } from './atlas.ts';

describeLinks('links in the history of rows', (atlas) => {
  test('stand in the history of the row that holds the key, with the names of the linked rows', async () => {
    const { client, link, data } = await atlas();
    await link('hm');
    await client.post(data(`Country/1/hm/Cities/1`));
    await client.post(data(`Country/2/hm/Cities/1`));
    await client.delete(data(`Country/2/hm/Cities/1`));
    const child = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(data('City/1/history'));
    const links = child.body.list.map(({ cells }) =>
      cells.filter(({ before, after }) =>
        [before, after].some((value) => typeof value === 'object' && value),
      ),
    );
    const [france, peru] = [
      { Id: 1, Title: 'France' },
      { Id: 2, Title: 'Peru' },
    ];
    expect(links).toEqual([
      [expect.objectContaining({ before: peru, after: null })],
      [expect.objectContaining({ before: france, after: peru })],
      [expect.objectContaining({ before: null, after: france })],
      [],
    ]);
    await client.delete(data('Country/1'));
    const later = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(data('City/1/history'));
    expect(later.body.list[2]?.cells).toContainEqual(
      expect.objectContaining({ before: null, after: { Id: 1 } }),
    );
  });

  test('stand in the history of the other row, too, whichever row holds the key', async () => {
    const { client, project, country, link, data, list } = await atlas();
    await link('hm');
    await link('mm', { title: 'Fairs', onDelete: 'cascade' });
    type Told = {
      readonly id: number;
      readonly user: string;
      readonly isUndo: boolean;
      readonly cells: readonly Row[];
    };
    const history = async (row: string, query = '') =>
      (await client.get<{ list: readonly Told[] }>(data(`${row}/history${query}`))).body.list;
    /** What was taken and what was made, by each event, without those that tell of the row alone. */
    const told = async (row: string) =>
      (await history(row)).flatMap(({ cells }) => {
        const linked = cells.filter(({ before, after }) => Array.isArray(before ?? after));
        return linked.length === 0 ? [] : [linked.map(({ before, after }) => ({ before, after }))];
      });
    const [paris, lima, france] = [
      { Id: 1, Title: 'Paris' },
      { Id: 3, Title: 'Lima' },
      { Id: 1, Title: 'France' },
    ];

    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/2/hm/Cities/1'));
    await client.post(data('Country/1/mm/Fairs/3'));
    await client.delete(data('Country/1/mm/Fairs/3'));
    expect(await told('Country/1')).toEqual([
      [{ before: [lima], after: null }],
      [{ before: null, after: [lima] }],
      [{ before: [paris], after: null }],
      [{ before: null, after: [paris] }],
    ]);
    expect(await told('Country/2')).toEqual([[{ before: null, after: [paris] }]]);
    expect(await told('City/3')).toEqual([
      [{ before: [france], after: null }],
      [{ before: null, after: [france] }],
    ]);
    const [newest] = await history('Country/1');
    expect(newest).toMatchObject({ op: 'update', isUndo: false, user: expect.stringContaining('@') });
    const first = await history('Country/1', '?limit=2');
    const rest = await history('Country/1', `?before=${first.at(-1)?.id}`);
    expect([...first, ...rest]).toEqual(await history('Country/1'));

    // Many at once are one event, and a row that is gone is named by its key.
    const key = `${country.table_name}_id`;
    const names = Array.from({ length: 30 }, (_, index) => ({ Title: `Town ${index}`, [key]: 3 }));
    await client.post(data('City').replace('/data/', '/data/bulk/'), names);
    const [[town] = []] = await told('Country/3');
    expect(town?.after).toHaveLength(26);
    const gone = await client.delete(data('City/1'));
    expect((await told('Country/2'))[0]).toEqual([{ before: [{ Id: 1 }], after: null }]);
    await client.post(
      `/api/v1/db/data/operations/${project}/${gone.headers.get('x-trellis-operation') ?? ''}/undo`,
      {},
    );
    expect((await told('Country/2'))[0]).toEqual([{ before: null, after: [paris] }]);
    expect((await history('Country/2'))[0]).toMatchObject({ isUndo: true });

    // What is deleted with a row is taken from the rows that it was linked to.
    await client.post(data('Country/1/mm/Fairs/3'));
    const deleted = await client.delete(data('Country/1'));
    expect((await told('City/3'))[0]).toEqual([{ before: [{ Id: 1 }], after: null }]);
    expect((await list('City/3')) as unknown).toMatchObject({ Title: 'Lima' });
    // Of one that is deleted for good nothing is told that it was linked to.
    expect(await told('Country/1')).toHaveLength(6);
    const operation = deleted.headers.get('x-trellis-operation') ?? '';
    const purge = `/api/v1/db/data/operations/${project}/deletions/${operation}`;
    expect((await client.delete(purge)).status).toBe(200);
    expect(await told('Country/1')).toEqual([]);
    expect(await told('City/3')).toHaveLength(2);
  });

  test('of rows of one table stand in the histories of both', async () => {
    const { client, country, column, data } = await atlas();
    await column(country.id, {
      title: 'Heirs',
      uidt: 'LinkToAnotherRecord',
      parentId: country.id,
      childId: country.id,
      type: 'hm',
    });
    await client.post(data('Country/2/hm/Heirs/1'));
    const cellsOf = async (row: string) => {
      const { body } = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(
        data(`${row}/history`),
      );
      return body.list[0]?.cells.map(({ before, after }) => ({ before, after }));
    };
    expect(await cellsOf('Country/2')).toEqual([{ before: null, after: [{ Id: 1, Title: 'France' }] }]);
    expect(await cellsOf('Country/1')).toContainEqual({ before: null, after: { Id: 2, Title: 'Peru' } });
  });

  test('stand in the history of the other row without names where so many change that nobody remembers which', async () => {
    const { client, country, link, data } = await atlas();
    await link('hm');
    const key = `${country.table_name}_id`;
    const all = data('City').replace('/data/', '/data/bulk/');
    const towns = Array.from({ length: 5001 }, (_, index) => ({ Title: 'Town', [key]: 1 + (index % 2) }));
    for (const rows of [towns, towns]) await client.post(all, rows);
    const newest = async (row: number) => {
      const path = data(`Country/${row}/history?limit=1`);
      const { body } = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(path);
      return body.list[0]?.cells.map(({ before, after }) => [before, after]);
    };
    const set = (body: object) => client.patch(`${all}/all?where=(Title,eq,Town)`, body);
    expect((await set({ Pop: 5 })).body).toBe(10_002);
    expect(await newest(3)).not.toContainEqual(expect.arrayContaining([['…']]));
    expect((await set({ [key]: 3 })).body).toBe(10_002);
    expect(await newest(1)).toEqual([[['…'], null]]);
    expect(await newest(2)).toEqual([[['…'], null]]);
    expect(await newest(3)).toEqual([[null, ['…']]]);
    // Who is linked to the same row as before was not linked to it.
    expect((await set({ [key]: 3, Pop: 6 })).body).toBe(10_002);
    expect((await client.delete(`${all}/all?where=(Title,eq,Town)`)).body).toBe(10_002);
    const path = data('Country/3/history?limit=2');
    const { body } = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(path);
    expect(body.list.map(({ cells }) => cells.map(({ before, after }) => [before, after]))).toEqual([
      [[['…'], null]],
      [[null, ['…']]],
    ]);
  });
});
