import { describe, expect, test } from '@jest/globals';
import type { BaseEntity } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import { project, link, countries } from '../testing/countries.ts';
import { warnOfDeletion } from './warn-of-deletion.ts';

describe('rows that are deleted', () => {
  test.each([
    ['cascade', false, true, /3 rows linked in “Cities” are deleted as well\.$/],
    [
      'cascade',
      false,
      false,
      /3 rows linked in “Cities” are deleted as well, and Undo does not bring them back/,
    ],
    ['set null', false, true, /3 rows lose their link in “Cities”\.$/],
    ['set null', false, false, /3 rows lose their link in “Cities”, and Undo does not link them again/],
    [null, false, true, /3 rows are linked in “Cities”: the deletion will be refused/],
    [null, true, true, /3 rows linked in “Cities” will point to nothing/],
  ])(
    'are told what happens to the rows that point to them: %s, virtual %s, own %s',
    async (dr, virtual, own, text) => {
      const sent: ApiRequest[] = [];
      const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
      const warned = warnOfDeletion({
        project: { ...project, bases },
        table: countries,
        column: {
          ...link,
          colOptions: {
            type: 'hm',
            fk_related_model_id: 'md_city',
            fk_child_column_id: 'cl_key',
            dr,
            virtual,
          },
        },
        rowKeys: ['7', 'a,b'],
        t: (key, values = {}) => key.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name])),
        request: <T>(request: ApiRequest) => {
          sent.push(request);
          return Promise.resolve({ count: 3 } as T);
        },
      });
      expect(await warned).toMatch(text);
      expect(sent).toEqual([
        {
          path: `/api/v1/db/data/noco/${project.id}/md_city/count`,
          query: {
            filterArrJson: JSON.stringify([
              { fk_column_id: 'cl_key', comparison_op: 'in', value: ['7', 'a,b'] },
            ]),
          },
        },
      ]);
    },
  );
});

describe('rows that a table of links points to', () => {
  test.each([
    ['no action', false, /3 rows are linked in “Cities”: the deletion will be refused/],
    ['cascade', false, /3 rows lose their link in “Cities”, and Undo does not link them again/],
    ['cascade', true, undefined],
  ])('are told of where the database is one of others: %s, own %s', async (dr, own, text) => {
    const sent: ApiRequest[] = [];
    const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
    const colOptions = {
      type: 'mm',
      fk_related_model_id: 'md_city',
      fk_child_column_id: 'cl_id',
      fk_mm_model_id: 'md_visits',
      fk_mm_child_column_id: 'cl_country',
      dr,
    };
    const warned = await warnOfDeletion({
      project: { ...project, bases },
      table: countries,
      column: { ...link, colOptions },
      rowKeys: ['7'],
      t: (key, values = {}) => key.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name])),
      request: <T>(request: ApiRequest) => {
        sent.push(request);
        return Promise.resolve({ count: 3 } as T);
      },
    });
    if (text === undefined) return expect([warned, sent]).toEqual([undefined, []]);
    expect(warned).toMatch(text);
    const pointing = { fk_column_id: 'cl_country', comparison_op: 'in', value: ['7'] };
    expect(sent).toEqual([
      {
        path: `/api/v1/db/data/noco/${project.id}/md_visits/count`,
        query: { filterArrJson: JSON.stringify([pointing]) },
      },
    ]);
  });
});

describe('rows whose links nobody can count', () => {
  const failing = () => Promise.reject(new Error('You may not read this table'));
  const many = Array.from({ length: 2000 }, (_, at) => String(at));
  test.each([
    ['that are many', many, 'cascade', false, /may be deleted as well, and Undo does not bring them back/],
    ['that are many, of our own', many, 'cascade', true, /may be deleted as well\.$/],
    ['of a table that may not be read', ['7'], 'cascade', true, /may be deleted as well\.$/],
    ['of a table that may not be read', ['7'], 'set null', true, /may lose their link\.$/],
  ])('are told of as well: those %s', async (_what, rowKeys, dr, own, text) => {
    const bases = [{ id: countries.base_id, is_meta: own }] as unknown as readonly BaseEntity[];
    const warned = warnOfDeletion({
      project: { ...project, bases },
      table: countries,
      column: {
        ...link,
        colOptions: { type: 'hm', fk_related_model_id: 'md_city', fk_child_column_id: 'cl_key', dr },
      },
      rowKeys,
      t: (key) => key,
      request: failing,
    });
    expect(await warned).toMatch(text);
  });
});
