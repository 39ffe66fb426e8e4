import type { ProjectEntity, TableEntity, ViewEntity } from '../../shared/index.ts';

/** Where rows are read and written: a whole table, or a view with its fields, filters and sorts. @public */
export type RowsPlace =
  | { readonly kind: 'table'; readonly project: ProjectEntity; readonly table: TableEntity }
  | {
      readonly kind: 'view';
      readonly project: ProjectEntity;
      readonly table: TableEntity;
      readonly view: ViewEntity;
    };

/** The paths of the data API for one place. */
export interface RowsPaths {
  readonly rows: string;
  /** Rows of the whole table, many at a time. */
  readonly bulk: string;
  readonly operations: string;
}

export function pathsOf(place: RowsPlace): RowsPaths {
  const [project = '', table = ''] = [place.project.id, place.table.id].map(encodeURIComponent);
  const ofTable = `/api/v1/db/data/noco/${project}/${table}`;
  return {
    rows: place.kind === 'view' ? `${ofTable}/views/${encodeURIComponent(place.view.id)}` : ofTable,
    bulk: `/api/v1/db/data/bulk/noco/${project}/${table}`,
    operations: `/api/v1/db/data/operations/${project}`,
  };
}

/** Names a place for as long as it means the same rows, whatever changes about its table. */
export function nameOfPlace(place: RowsPlace): string {
  return [place.kind, place.project.id, place.table.id, place.kind === 'view' ? place.view.id : ''].join(' ');
}
