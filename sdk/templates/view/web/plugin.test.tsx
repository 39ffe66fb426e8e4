import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import {
  aColumn,
  answersOfView,
  aProject,
  aTable,
  aView,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { RowSearchContext } from '@trellis/sdk/web/views';
import { MyPluginView } from './MyPluginView.tsx';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);

const search = { text: 'Ada', isHeard: true, search: () => undefined, hear: () => () => undefined };

test('a view asks for the rows that somebody looks for', async () => {
  const table = aTable([aColumn('cl_1', 'Name')]);
  const { requests } = renderWithHost(
    <RowSearchContext value={search}>
      <MyPluginView project={aProject()} table={table} view={aView({ view_type: 'myPlugin' })} readOnly />
    </RowSearchContext>,
    {
      registries: { columnTypes: [{ ...textType, operators: ['like'] }] },
      api: answersOfView(table, [{ Name: 'Ada' }]),
    },
  );
  await waitFor(() => expect(JSON.stringify(requests)).toContain('Ada'));
});
