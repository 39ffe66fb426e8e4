import { afterEach, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
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

test('a rule that stopped says why and what makes it hold again', async () => {
  show(() => ({ list: [animals] }), [{ ...rule, isStopped: true }]);
  expect(await screen.findByText(/stopped, since an option that it names was deleted/)).toBeTruthy();
});

test('a rule that somebody else changed meanwhile is not overwritten unasked', async () => {
  const user = userEvent.setup();
  const sent: unknown[] = [];
  const filters = [
    { kind: 'condition', logicalOp: 'and', columnId: 'cl_name', operator: 'eq', value: 'Leo' },
  ];
  const saved = { ...rule, filters, limits: 'see', revision: 'r1' };
  const api = ({ method = 'GET', path, body }: ApiRequest) => {
    if (method === 'PUT') {
      sent.push(body);
      if ((body as { readonly replaces: string }).replaces !== 'r2')
        throw new ApiError(409, 'Somebody else changed this.', 'CHANGED_MEANWHILE', { revision: 'r2' });
      return saved;
    }
    if (path.endsWith('/rules')) return { list: [saved] };
    if (path.endsWith('/tables')) return { list: [animals] };
    return path.endsWith('/tables/md_a')
      ? { ...animals, columns: [aColumn('cl_name', 'Name')] }
      : { list: [] };
  };
  const { toasts } = renderWithHost(<RowRulesTab project={project} />, { project, api });
  const change = async () => {
    await user.click(await screen.findByRole('button', { name: /^What to do with the rule of/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change the rule' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the rule' }));
    await user.click(dialog.getByRole('radio', { name: 'Which rows are changed' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    return dialog;
  };

  const given = await change();
  await given.findByText(/What you entered is still here/);
  await user.click(given.getByRole('button', { name: 'Take theirs' }));
  expect(screen.queryByRole('dialog')).toBeNull();

  const kept = await change();
  await user.click(await kept.findByRole('button', { name: 'Save mine' }));
  await waitFor(() => expect(toasts).toMatchObject([{ summary: 'The rule holds from now on' }]));
  expect(sent).toMatchObject([
    { limits: 'change', replaces: 'r1' },
    { limits: 'change', replaces: 'r1' },
    { limits: 'change', replaces: 'r2' },
  ]);
});
