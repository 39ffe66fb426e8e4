import { describe, expect, test } from '@jest/globals';
import type { ApiRequest } from '@trellis/sdk/web';
import type { CellChange } from '@trellis/sdk/web/rows';
import { project, cities, link, countries, meta } from '../testing/countries.ts';
import { writeLinks } from './write-links.ts';

describe('cells that are pasted', () => {
  const from = { tableId: 'md_other', columnId: 'cl_from', rowKey: '4' };
  function paste(changes: readonly Partial<CellChange>[], totalRows = 30) {
    const sent: { path: string; body: unknown }[] = [];
    const written = writeLinks({
      project,
      table: countries,
      column: link,
      changes: changes.map((change, index) => ({
        rowKey: String(index + 1),
        index,
        columnId: link.id,
        before: null,
        value: null,
        ...change,
      })),
      t: (key) => key,
      request: <T>({ path, query }: ApiRequest) => {
        if (path === `${meta}/tables/md_city`) return Promise.resolve(cities as T);
        expect(path).toBe(`/api/v1/db/data/noco/${project.id}/md_other/4/hm/cl_from`);
        const start = Number(query?.offset);
        const list = Array.from({ length: Math.min(20, 30 - start) }, (_, at) => ({ Id: start + at + 1 }));
        return Promise.resolve({ list, pageInfo: { totalRows } } as T);
      },
      perform: <T>({ path, body }: ApiRequest) => {
        sent.push({ path, body });
        const refused = [{ row: '1', msg: "No row of 'City' is named “x”.", code: 'LINKED_TITLE_UNKNOWN' }];
        return Promise.resolve({ refused } as T);
      },
    });
    return { written, sent };
  }

  test('are refused where the copied cell has more links than are read: a part of them would take the others away', async () => {
    const value = Array.from({ length: 25 }, (_, at) => ({ Id: at + 1, Title: 'Lyon' }));
    const { written, sent } = paste([{ value, from }], 10_001);
    expect(await written).toEqual([
      {
        rowKey: '1',
        columnId: link.id,
        message: 'The copied cell has more than {{most}} links: they cannot be pasted at once.',
      },
    ]);
    expect(sent).toEqual([]);
  });

  test('name rows by titles, or by the keys of a copied cell, and an empty one names none', async () => {
    const { written, sent } = paste([
      { value: 'x, Lyon' },
      { value: [{ Id: 2, Title: 'Lyon' }], from },
      { value: { Id: 3, Title: 'Lima' }, from },
      { value: null },
    ]);
    expect(await written).toEqual([
      { rowKey: '1', columnId: link.id, message: "No row of 'City' is named “x”." },
    ]);
    expect(sent).toEqual([
      {
        path: `/api/v1/db/data/bulk/noco/${project.id}/md_country/links/cl_link`,
        body: [
          { row: '1', rows: 'x, Lyon' },
          { row: '2', rows: ['2'] },
          { row: '3', rows: ['3'] },
          { row: '4', rows: [] },
        ],
      },
    ]);
  });

  test('take all rows of a copied cell, also those that it does not show', async () => {
    const shown = Array.from({ length: 25 }, (_, at) => ({ Id: at + 1, Title: 'x' }));
    const { written, sent } = paste([{ value: shown, from }]);
    await written;
    const keys = Array.from({ length: 30 }, (_, at) => String(at + 1));
    expect(sent).toMatchObject([{ body: [{ row: '1', rows: keys }] }]);
  });

  test('are refused where a copied cell hides the keys of its rows', async () => {
    const { written, sent } = paste([{ value: [{ Title: 'Lyon' }], from }]);
    expect(await written).toMatchObject([
      { rowKey: '1', message: expect.stringContaining('Paste their titles') },
    ]);
    expect(sent).toEqual([]);
  });
});
