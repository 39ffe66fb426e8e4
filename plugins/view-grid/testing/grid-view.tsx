import { afterEach, beforeEach, jest } from '@jest/globals';
import type {
  Aggregation,
  ColumnEntity,
  FilterEntity,
  ProjectEntity,
  Row,
  SortEntity,
  UserEntity,
  ViewEntity,
} from '@trellis/sdk/shared';
import type { ApiError, CellAction, WebColumnType } from '@trellis/sdk/web';
import {
  aColumn,
  aProject,
  aTable,
  FakeResponse,
  numberType,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { OwnLookContext, useNewOwnLook } from '@trellis/sdk/web/views';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { gridView } from '../shared/index.ts';
import GridView from '../web/GridView.tsx';
import { FakeGridServer } from './fake-grid-server.ts';

/** The tests' table of people; no plugin provides the type of `Map`. */
export const table = aTable([
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true }),
  aColumn('cl_name', 'Name', { pv: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
  aColumn('cl_map', 'Map', { uidt: 'GeoShape' }),
]);
export const project = aProject();
export const view = { id: 'vw_1', title: 'Grid' } as ViewEntity;

export const sum: Aggregation = {
  id: 'sum',
  label: 'Sum',
  accepts: 'any',
  format: 'column',
  build: (of) => ({ kind: 'aggregate', aggregate: 'sum', of }),
};

/** Provides the look that a view has in its table's tab. */
export function OwnLook({ children }: { readonly children: ReactNode }) {
  return <OwnLookContext value={useNewOwnLook()}>{children}</OwnLookContext>;
}

/** Draws a grid view of a table of people, with a server in memory. */
export function show(
  options: {
    readOnly?: boolean;
    types?: readonly WebColumnType[];
    user?: UserEntity;
    filterIsOff?: boolean;
    groupsRefusal?: ApiError;
    columns?: readonly ColumnEntity[];
    role?: ProjectEntity['role'];
    meta?: ViewEntity['meta'];
    lock?: ViewEntity['lock_type'];
    sorts?: readonly Partial<SortEntity>[];
    filters?: readonly Partial<FilterEntity>[];
    columnOptions?: Readonly<Record<string, object>>;
    rows?: readonly Row[];
    aggregations?: readonly Aggregation[];
    cellActions?: readonly CellAction[];
  } = {},
) {
  const server = new FakeGridServer();
  server.filterIsOff = options.filterIsOff === true;
  server.groupsRefusal = options.groupsRefusal;
  server.sorts = options.sorts ?? [];
  server.filters = options.filters ?? [];
  server.columnOptions = options.columnOptions ?? {};
  if (options.rows !== undefined) server.rows = [...options.rows];
  const of = aProject({ role: options.role ?? project.role });
  const { types = [numberType, textType], readOnly = false } = options;
  const shown = { ...table, columns: options.columns ?? table.columns };
  const memory = renderWithHost(
    <OwnLook>
      <GridView
        project={of}
        table={shown}
        view={{ ...view, lock_type: options.lock ?? 'collaborative', meta: options.meta ?? null }}
        readOnly={readOnly}
      />
    </OwnLook>,
    {
      registries: {
        columnTypes: types,
        aggregations: options.aggregations ?? [sum],
        cellActions: options.cellActions ?? [],
        viewTypes: [{ ...gridView, icon: 'table', View: GridView }],
      },
      ...(options.user && { user: options.user }),
      api: (request) => {
        const body = server.answer(request);
        const isWrite = request.method !== 'GET';
        return isWrite
          ? new FakeResponse(body, { 'x-trellis-operation': `op${server.requests.length}` })
          : body;
      },
    },
  );
  return { server, user: userEvent.setup(), ...memory };
}

/** Sets up the page before each test of a file, and removes it afterwards. */
export function prepareGridView(): void {
  beforeEach(() => {
    // Clears what a tab stores for undo.
    sessionStorage.clear();
    localStorage.clear();
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    Object.assign(window, { CSS: { escape: (id: string) => id } });
  });
  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
  });
}

export const input = (): HTMLElement => screen.getByRole('textbox');
export const focusGrid = (): void => act(() => input().focus());
