import type { Row } from '@trellis/sdk/shared';
import type { ApiRequest, WebColumnType } from '@trellis/sdk/web';
import {
  aColumn,
  aProject,
  aTable,
  numberType,
  renderWithHost,
  textType,
  type MemoryHostOptions,
} from '@trellis/sdk/testing/web';
import { act } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { copyLink } from '../web/copy-link.ts';
import { historyPane } from '../web/history-pane.ts';
import { PanelRequests, type RowRequest } from '../web/panel-requests.ts';
import { createRowPanelHost } from '../web/RowPanelHost.tsx';

/** A number type that refuses numbers above 200. */
export const number: WebColumnType = {
  ...numberType,
  validate: (value) => (Number(value) > 200 ? { message: 'must be 200 at most' } : undefined),
};
/** The panel's table: `Name` must not be empty. */
export const table = aTable([
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true, rqd: true }),
  aColumn('cl_name', 'Name', { pv: true, rqd: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
]);
export const project = aProject();
/** The table's rows in the data API. */
export const rowPath = '/api/v1/db/data/noco/p_1/md_1';

/** Draws the row panel with a button before it; `open` requests a row. */
export function show(request: Partial<RowRequest> = {}, options: MemoryHostOptions = {}, beside?: ReactNode) {
  const requests = new PanelRequests();
  const PanelHost = createRowPanelHost(requests);
  const types: readonly WebColumnType[] = [textType, number];
  const memory = renderWithHost(
    <>
      <button type="button">Opener</button>
      <PanelHost />
      {beside}
    </>,
    {
      project,
      registries: { columnTypes: types, cellActions: [copyLink], rowPanes: [historyPane] },
      api: {
        'GET /api/v1/db/meta/tables/md_1': table,
        [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
        [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => ({ Id: 1, ...body }),
        [`POST ${rowPath}`]: ({ body }: { readonly body: Row }) => ({ Id: 2, ...body }),
      },
      ...options,
    },
  );
  const open = () => act(() => requests.open({ project, table, rowKey: '1', ...request }));
  return { open, panelRequests: requests, user: userEvent.setup(), ...memory };
}

/** The requests to the server that do more than read. */
export function sent(memory: ReturnType<typeof show>): readonly ApiRequest[] {
  return memory.requests.filter((request) => (request.method ?? 'GET') !== 'GET');
}
