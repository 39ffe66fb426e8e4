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
 * Where rows are read and written: a whole table, a view with its fields, filters and sorts, or a view that is shared with whoever
 * has its link, whose rows are only read.
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
      /** What the link names. */
      readonly uuid: string;
      readonly password?: string;
      /** What the visitor asks for on top of the view, as parameters `where` and `sort`. */
      readonly query?: Readonly<Record<string, string>>;
      readonly project: ProjectEntity;
      readonly table: TableEntity;
      readonly view: ViewEntity;
    };

/** How the rows of a place are read. */
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

/** The paths of the data API by which rows of a place are written. */
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

/** Groups and figures below the path of the rows, for members and visitors alike. */
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

/** The public calls: rows are numbered by a call for one of them, so that pages wait for no number. */
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
    // An order that is asked for by columns' ids goes before the visitor's own.
    ...(query.sortArrJson !== undefined && { sort: undefined }),
    ...joined(query.filterArrJson, asked.filterArrJson),
  });
  return {
    // Visitors are given what the view shows, and nothing beside it.
    list: ({ also: _also, ...query }) => ({ path, query: { ...both(query), count: 'false' }, ...headers }),
    rowsIn: (answer) => dataOf(answer).list,
    count: (query) => ({ path, query: { ...both(query), offset: 0, limit: 1 }, ...headers }),
    numberIn: (answer) => Number(dataOf(answer).pageInfo.totalRows),
    figures: figuresAt(path, headers, both),
  };
}

/** What the view asks of its rows, and what the visitor asks on top of it: rows meet both. */
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

/** Names a place for as long as it means the same rows, whatever changes about its table, or about the password of its link. */
export function nameOfPlace(place: RowsPlace): string {
  const parts: readonly string[] =
    place.kind === 'sharedView'
      ? [place.uuid, JSON.stringify(place.query ?? {})]
      : [place.project.id, place.table.id, place.kind === 'view' ? place.view.id : ''];
  return [place.kind, ...parts].join(' ');
}
