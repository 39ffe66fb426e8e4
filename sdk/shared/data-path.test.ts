import { expect, test } from '@jest/globals';
import { bulkDataPath, dataPath } from './data-path.ts';

test('a path of the data API names a table and what is meant of it, whatever letters they have', () => {
  expect(dataPath('p_1', 'md_1')).toBe('/api/v1/db/data/noco/p_1/md_1');
  expect(dataPath('p_1', 'md_1', 'a/b ___?', 'hm', 'cl_1')).toBe(
    '/api/v1/db/data/noco/p_1/md_1/a%2Fb%20___%3F/hm/cl_1',
  );
  expect(bulkDataPath('Müll & Co', 'md_1')).toBe('/api/v1/db/data/bulk/noco/M%C3%BCll%20%26%20Co/md_1');
});
