import type { TableEntity, ViewEntity } from '../shared/index.ts';
import { ApiError } from '../web/index.ts';
import type { FakeApi } from './fake-api.ts';

/** A view of `aTable` as the API gives it, a grid unless `more` says otherwise. @public */
export function aView(more: Partial<ViewEntity> = {}): ViewEntity {
  return { id: 'vw_1', fk_model_id: 'md_1', title: 'Everybody', view_type: 'grid', ...more } as ViewEntity;
}

/**
 * What the server answers of a view that shows all columns of its table and keeps no filters and no sorts, for `api` of
 * `renderWithHost`.
 *
 * @param rows - as the API gives them, by the titles of columns
 * @public
 */
export function answersOfView(
  { columns = [] }: TableEntity,
  rows: readonly Readonly<Record<string, unknown>>[] = [],
): FakeApi {
  const places = columns.map(({ id }, at) => ({ fk_column_id: id, show: true, order: at + 1 }));
  return ({ method, path }) => {
    const last = path.slice(path.lastIndexOf('/') + 1);
    const isOfView = path.includes('/meta/views/');
    if (isOfView && last === 'columns') return places;
    if (isOfView && last === 'filters') return [];
    if (isOfView && last === 'sorts') return { sorts: { list: [] } };
    if (path.includes('/data/')) return last === 'count' ? { count: rows.length } : { list: rows };
    throw new ApiError(404, `The test has no answer for '${method} ${path}'.`);
  };
}
