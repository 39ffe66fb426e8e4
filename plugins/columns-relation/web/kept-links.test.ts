import { describe, expect, test } from '@jest/globals';
import type { ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable } from '@trellis/sdk/testing/web';
import { keptLinks } from './kept-links.ts';

const project = aProject();
const artists = {
  ...aTable([
    aColumn('cl_id', 'ArtistId', { uidt: 'ID', pk: true }),
    aColumn('cl_name', 'Name', { pv: true }),
    aColumn('cl_code', 'Code'),
  ]),
  id: 'md_artist',
};
const linkTo = (parent: string, type = 'bt') =>
  aColumn('cl_link', 'Artist', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    colOptions: {
      type,
      fk_related_model_id: 'md_artist',
      fk_child_column_id: 'cl_fk',
      fk_parent_column_id: parent,
    },
  });

async function keep(parent: string, { type = 'bt', other = artists } = {}) {
  const column = linkTo(parent, type);
  const paths: string[] = [];
  const request = <T>({ path }: ApiRequest): Promise<T> => {
    paths.push(path);
    return Promise.resolve((path.includes('/meta/') ? other : { Code: 'acdc' }) as T);
  };
  const answer = [{ ArtistId: 7, Name: 'AC/DC' }];
  const values = await keptLinks.valuesOf(answer, { project, column, request });
  return { columns: keptLinks.columnsOf(column), values, paths };
}

describe('a link that is answered for a new row', () => {
  test('to the row that it belongs to is kept in its foreign key', async () => {
    expect(await keep('cl_id')).toMatchObject({ columns: ['cl_fk'], values: { cl_fk: 7 } });
  });

  test('reads the column that the key points to where the answer does not hold it', async () => {
    const { values, paths } = await keep('cl_code');
    expect(values).toEqual({ cl_fk: 'acdc' });
    expect(paths.at(-1)).toBe(`/api/v1/db/data/noco/${project.id}/md_artist/7`);
  });

  test('of many rows is made once the row is there, and so is one by a key of several columns', async () => {
    expect(await keep('cl_id', { type: 'hm' })).toMatchObject({ columns: [], values: undefined });
    const [first, ...rest] = artists.columns ?? [];
    const several = [...(first ? [first, { ...first, id: 'cl_more', title: 'Name' }] : []), ...rest];
    const other = { ...artists, columns: several };
    expect((await keep('cl_id', { other })).values).toBeUndefined();
  });
});
