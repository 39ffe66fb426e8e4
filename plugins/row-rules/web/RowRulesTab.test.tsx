import { afterEach, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import RowRulesTab from './RowRulesTab.tsx';

const project = aProject({ title: 'Zoo' });
const animals = { id: 'md_a', title: 'Animals' };
const rule = { tableId: 'md_a', role: 'viewer', filters: [] };

/** `tables` answers the list of tables, call by call. */
function show(tables: (call: number) => unknown, rules: readonly unknown[] = []) {
  let calls = 0;
  const api = ({ path }: ApiRequest) => {
    if (path.endsWith('/tables')) return tables(calls++);
    return { list: path.endsWith('/rules') ? rules : [] };
  };
  return renderWithHost(<RowRulesTab project={project} />, { project, api });
}

afterEach(cleanup);

test('rules are shown once their tables can be read, and a failure says so', async () => {
  const away = (call: number) => {
    if (call === 0) throw new ApiError(403, 'Away');
    return { list: [animals] };
  };
  show(away, [rule]);
  await screen.findByRole('alert');
  expect(screen.queryByText('No role is limited')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Animals')).toBeTruthy();
});

test('a project without tables says why there is no way to a rule', async () => {
  show(() => ({ list: [] }));
  await screen.findByText('A rule is about the rows of a table, and this project has no tables yet.');
  expect(screen.queryByRole('button', { name: 'New rule' })).toBeNull();
});
