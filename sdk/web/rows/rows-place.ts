import {
  bulkDataPath,
  dataPath,
  type CellValue,
  type ProjectEntity,
  type Row,
  type TableEntity,
  type ViewEntity,
} from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import { visitedCall } from '../visited-view.ts';
import type { GroupAnswer } from './row-groups.ts';

/**
 * The place of rows: a whole table, a view with its fields, filters and sorts, or a view that is shared by a link, whose rows are
 * read-only.
 *
 * @public
 */
export type RowsPlace =
  | { readonly kind: 'table'; readonly project: ProjectEntity; readonly table: TableEntity }
  | {
      readonly kind: 'view';
      readonly project: ProjectEntity;
      readonly table: TableEntity;
      readonly view: ViewEntity;
    }
  | {
      readonly kind: 'sharedView';
      /** The id in the link. */
      readonly uuid: string;
      readonly password?: string;
      /** The visitor's query in addition to the view, as parameters `where` and `sort`. */
      readonly query?: Readonly<Record<string, string>>;
      readonly project: ProjectEntity;
      readonly table: TableEntity;
      readonly view: ViewEntity;
    };

/** Reads the rows of a place. */
export interface RowsReader {
  list(query: Readonly<Record<string, unknown>>): ApiRequest;
  rowsIn(answer: unknown): readonly Row[];
  count(query: Readonly<Record<string, unknown>>): ApiRequest;
  numberIn(answer: unknown): number;
  readonly figures: {
    groups(query: Readonly<Record<string, unknown>>): ApiRequest;
    levelsIn(answer: unknown): readonly (readonly GroupAnswer[])[];
    totals(query: Readonly<Record<string, unknown>>): ApiRequest;
    totalsIn(answer: unknown): readonly CellValue[];
  };
}

/** The paths of the data API for writing rows of a place. */
export interface RowsPaths {
  readonly rows: string;
  /** Rows of the whole table, one at a time. */
  readonly table: string;
  /** Rows of the whole table, many at a time. */
  readonly bulk: string;
  readonly operations: string;
}

interface ListAnswer {
  readonly list: readonly Row[];
}

export function readerOf(place: RowsPlace): RowsReader {
  if (place.kind === 'sharedView') return sharedReader(place);
  const { rows } = pathsOf(place);
  return {
    list: (query) => ({ path: rows, query: { ...query, count: 'false' } }),
    rowsIn: (answer) => (answer as ListAnswer).list,
    count: (query) => ({ path: `${rows}/count`, query }),
    numberIn: (answer) => Number((answer as { readonly count: number | string }).count),
    figures: figuresAt(rows, {}, (query) => query),
  };
}

type FiguresReader = RowsReader['figures'];

/** Groups and aggregations below the path of the rows, for members and visitors alike. */
function figuresAt(rows: string, more: Pick<ApiRequest, 'headers'>, further: QueryOf): FiguresReader {
  return {
    groups: (query) => ({ path: `${rows}/groups`, query: further(query), ...more }),
    levelsIn: (answer) => (answer as { readonly levels: readonly (readonly GroupAnswer[])[] }).levels,
    totals: (query) => ({ path: `${rows}/aggregate`, query: further(query), ...more }),
    totalsIn: (answer) =>
      (answer as { readonly list: readonly { readonly value: CellValue }[] }).list.map(({ value }) => value),
  };
}

type QueryOf = (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** The public calls: rows are counted by a separate call, so that pages do not wait for the count. */
function sharedReader({
  uuid,
  password,
  query: asked = {},
}: Extract<RowsPlace, { kind: 'sharedView' }>): RowsReader {
  const { path, ...headers } = visitedCall({ uuid, ...(password !== undefined && { password }) }, 'rows');
  const dataOf = (answer: unknown) =>
    (answer as { readonly data: ListAnswer & { readonly pageInfo: { readonly totalRows?: number } } }).data;
  const both: QueryOf = (query) => ({
    ...query,
    ...asked,
    // An order by column ids replaces the visitor's own.
    ...(query.sortArrJson !== undefined && { sort: undefined }),
    ...joined(query.filterArrJson, asked.filterArrJson),
  });
  return {
    // Visitors only get what the view shows.
    list: ({ also: _also, ...query }) => ({ path, query: { ...both(query), count: 'false' }, ...headers }),
    rowsIn: (answer) => dataOf(answer).list,
    count: (query) => ({ path, query: { ...both(query), offset: 0, limit: 1 }, ...headers }),
    numberIn: (answer) => Number(dataOf(answer).pageInfo.totalRows),
    figures: figuresAt(path, headers, both),
  };
}

/** The view's conditions and the visitor's: rows must meet both. */
function joined(ofView: unknown, ofVisitor: string | undefined): Readonly<Record<string, string>> {
  const lists = [ofView, ofVisitor].filter((text) => typeof text === 'string');
  if (lists.length === 0) return {};
  const [only = ''] = lists;
  if (lists.length === 1) return { filterArrJson: only };
  const groups = lists.map((text) => ({
    is_group: true,
    logical_op: 'and',
    children: JSON.parse(text) as unknown,
  }));
  return { filterArrJson: JSON.stringify(groups) };
}

export function pathsOf(place: RowsPlace): RowsPaths {
  if (place.kind === 'sharedView') throw new Error('The rows of a shared view are only read.');
  const { id: project } = place.project;
  const { id: table } = place.table;
  return {
    rows: place.kind === 'view' ? dataPath(project, table, 'views', place.view.id) : dataPath(project, table),
    table: dataPath(project, table),
    bulk: bulkDataPath(project, table),
    operations: `/api/v1/db/data/operations/${encodeURIComponent(project)}`,
  };
}

/** The name of a place, constant while it means the same rows, whatever changes in its table or in the password of its link. */
export function nameOfPlace(place: RowsPlace): string {
  const parts: readonly string[] =
    place.kind === 'sharedView'
      ? [place.uuid, JSON.stringify(place.query ?? {})]
      : [place.project.id, place.table.id, place.kind === 'view' ? place.view.id : ''];
  return [place.kind, ...parts].join(' ');
}
