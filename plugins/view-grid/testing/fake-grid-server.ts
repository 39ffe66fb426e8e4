import type { CellValue, FilterEntity, Row, SortEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';

const viewColumns = ['cl_name', 'cl_age', 'cl_map', 'cl_id'].map(
  (id, at) =>
    ({
      id: `nc_${at}`,
      fk_column_id: id,
      show: id !== 'cl_id',
      order: at + 1,
      width: '120px',
      is_width_chosen: true,
    }) as ViewColumnEntity,
);

interface GroupKey {
  readonly title: 'Name' | 'Age' | 'Map';
  /** Below zero for the last one first. */
  readonly sign: 1 | -1;
}

const titles: Readonly<Record<string, GroupKey['title']>> = { cl_name: 'Name', cl_age: 'Age', cl_map: 'Map' };

function groupKeysOf({ query }: ApiRequest): readonly GroupKey[] {
  const asked = JSON.parse(String(query?.groupArrJson)) as readonly Record<string, string>[];
  return asked.map(({ fk_column_id: id = '', direction }) => ({
    title: titles[id] ?? 'Name',
    sign: direction === 'desc' ? -1 : 1,
  }));
}

const idOf = (row: Row): string => String(Number(row.Id));

/** A server of one table with the columns Id, Name, Age and Map, as far as the grid view `vw_1` asks. */
export class FakeGridServer {
  readonly requests: ApiRequest[] = [];
  rows: Row[] = [
    { Id: 1, Name: 'Ada', Age: 36, Map: 'somewhere' },
    { Id: 2, Name: 'Grace', Age: 45, Map: null },
  ];
  refusal: ApiError | undefined;
  /** Rows that are added do not meet the view's filters. */
  hidesNewRows = false;
  /** A filter of the view cannot be used. */
  filterIsOff = false;
  filterRefusal = new ApiError(409, 'A comparison is off.', 'FILTER_OPERATOR_DISABLED');
  groupsRefusal: ApiError | undefined;
  /** The rows can be read but not counted. */
  countRefusal: ApiError | undefined;
  sorts: readonly Partial<SortEntity>[] = [];
  filters: readonly Partial<FilterEntity>[] = [];
  /** What the view keeps of its columns, by column id. */
  columnOptions: Readonly<Record<string, object>> = {};

  written(): ApiRequest[] {
    return this.requests.filter((request) => (request.method ?? 'GET') !== 'GET');
  }

  answer(request: ApiRequest): unknown {
    this.requests.push(request);
    const { method = 'GET', path } = request;
    if (method !== 'GET' && this.refusal !== undefined) throw this.refusal;
    if (this.filterIsOff && path.includes('/data/') && request.query?.skipDisabledFilters !== 'true')
      throw this.filterRefusal;
    if (path.endsWith('/count')) {
      if (this.countRefusal !== undefined) throw this.countRefusal;
      return { count: this.rows.length };
    }
    if (path.endsWith('/columns'))
      return viewColumns.map((column) => ({
        ...column,
        meta: this.columnOptions[column.fk_column_id] ?? null,
      }));
    if (path.endsWith('/aggregate')) {
      const sum = this.rows.reduce((total, { Age }) => total + Number(Age), 0);
      return { list: [{ value: sum }] };
    }
    if (path.endsWith('/groups')) {
      if (this.groupsRefusal !== undefined) throw this.groupsRefusal;
      const keys = groupKeysOf(request);
      return { levels: keys.map((_, level) => this.groupsBy(keys.slice(0, level + 1))) };
    }
    if (path.endsWith('/sorts') && method === 'GET') return { sorts: { list: this.sorts } };
    if (path.endsWith('/filters') && method === 'PUT')
      this.filters = (request.body as { readonly list: readonly Partial<FilterEntity>[] }).list;
    if (path.endsWith('/filters')) return this.filters;
    if (path.includes('/operations/')) return { rows: 1 };
    if (path.endsWith('/move')) return this.move(request);
    if (path.endsWith('/copies')) {
      const copies = request.body as readonly { readonly values: Row }[];
      return this.bulk(
        method,
        copies.map(({ values }) => values),
        request.query,
      );
    }
    if (path.includes('/bulk/')) return this.bulk(method, request.body as Row[], request.query);
    if (method === 'POST' && path.endsWith('/views/vw_1')) {
      const row: Row = {
        Id: this.rows.length + 1,
        Name: null,
        Age: null,
        Map: null,
        ...(request.body as Row),
      };
      if (!this.hidesNewRows) this.place([row], request.query);
      return row;
    }
    if (method === 'PATCH' && path.includes('/data/')) {
      const id = Number(path.split('/').at(-1));
      this.rows = this.rows.map((row) => (row.Id === id ? { ...row, ...(request.body as Row) } : row));
      return this.rows.find((row) => row.Id === id) ?? { Id: id, ...(request.body as Row) };
    }
    if (method !== 'GET') return {};
    const one = /\/data\/noco\/p_1\/md_1\/(\d+)$/.exec(path)?.[1];
    if (one !== undefined) return this.rows.find((row) => idOf(row) === one);
    const start = Number(request.query?.offset);
    const rows = request.query?.groupArrJson === undefined ? this.rows : this.inGroups(groupKeysOf(request));
    return { list: rows.slice(start, start + Number(request.query?.limit)) };
  }

  /** In the order of the columns that they are grouped by. */
  private inGroups(keys: readonly GroupKey[]): readonly Row[] {
    const textOf = (row: Row, { title }: GroupKey): string => String((row[title] ?? '') as string | number);
    return this.rows.toSorted((a, b) => {
      const places = keys.map((key) => textOf(a, key).localeCompare(textOf(b, key)) * key.sign);
      return places.find((place) => place !== 0) ?? 0;
    });
  }

  private groupsBy(keys: readonly GroupKey[]) {
    const valuesOf = (row: Row) => keys.map(({ title }) => row[title] ?? null);
    const groups = new Map<string, { readonly values: readonly CellValue[]; readonly rows: Row[] }>();
    for (const row of this.inGroups(keys)) {
      const values = valuesOf(row);
      const group = groups.get(JSON.stringify(values)) ?? { values, rows: [] };
      group.rows.push(row);
      groups.set(JSON.stringify(values), group);
    }
    return [...groups.values()].map(({ values, rows }) => ({
      values,
      count: rows.length,
      figures: [rows.reduce((total, { Age }) => total + Number(Age), 0)],
    }));
  }

  /** Puts rows where a call wants them. */
  private place(rows: readonly Row[], query: ApiRequest['query']): void {
    const beside = query?.before ?? query?.after;
    const at = this.rows.findIndex((row) => idOf(row) === beside);
    const start = at === -1 ? this.rows.length : query?.before === undefined ? at + 1 : at;
    this.rows = this.rows.toSpliced(start, 0, ...rows);
  }

  private move({ body, query }: ApiRequest): unknown {
    const { rows: keys } = body as { readonly rows: readonly string[] };
    const moved = this.rows
      .filter((row) => keys.includes(idOf(row)))
      .toSorted((left, right) => keys.indexOf(idOf(left)) - keys.indexOf(idOf(right)));
    this.rows = this.rows.filter((row) => !keys.includes(idOf(row)));
    this.place(moved, query);
    return { rows: moved.length };
  }

  private bulk(method: string, body: Row[], query: ApiRequest['query']): unknown {
    if (method === 'POST') {
      const added = body.map((row, at): Row => ({
        Age: null,
        Map: null,
        ...row,
        Id: this.rows.length + at + 1,
      }));
      this.place(added, query);
      return added.map((row) => ({ id: row.Id }));
    }
    const ids = body.map(idOf);
    if (method === 'DELETE') this.rows = this.rows.filter((row) => !ids.includes(idOf(row)));
    else
      this.rows = this.rows.map((row): Row => ({
        ...row,
        ...body[ids.indexOf(idOf(row))],
        Id: row.Id ?? null,
      }));
    return ids.map(() => 1);
  }
}
