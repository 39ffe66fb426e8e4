import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { CellValue } from '@trellis/sdk/shared';
import { ApiError, defineWebColumnType, type WebColumnType } from '@trellis/sdk/web';
import { FilterEditor } from '@trellis/sdk/web/views';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { useState } from 'react';
import { collaborator, initialsOf, nameOf } from '../shared/index.ts';
import { PeopleCell } from './PeopleCell.tsx';
import { PeopleEditor } from './PeopleEditor.tsx';
import { PeopleFilter } from './PeopleFilter.tsx';

const who = aColumn('cl_1', 'Who', { uidt: 'Collaborator' });
const list = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'member@example.com' },
  { email: 'zoe@example.com', name: 'Zoe Quinn' },
];
const api = { [`GET /api/v1/plugins/columns-people/projects/${who.project_id}/people`]: { list } };

afterEach(cleanup);

function edit(value: string | null, multiple = true, initialText?: string) {
  const onCommit = jest.fn();
  const onCancel = jest.fn();
  renderWithHost(
    <PeopleEditor
      autoFocus
      value={value}
      initialText={initialText}
      column={who}
      options={{ multiple }}
      onChange={jest.fn()}
      onCommit={onCommit}
      onCancel={onCancel}
    />,
    { api },
  );
  return { onCommit, onCancel, user: userEvent.setup() };
}

const labels = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

describe('a cell of people', () => {
  test('shows names and initials, and somebody who left by the address', async () => {
    renderWithHost(<PeopleCell value="ada@example.com,gone@example.com" column={who} />, { api });
    expect(await screen.findByText('Ada Lovelace')).toBeTruthy();
    expect(document.querySelector('[data-initials="AL"]')).toBeTruthy();
    expect(screen.getByText('gone')).toBeTruthy();
    expect(screen.getByTitle('gone@example.com, no member of this project any more')).toBeTruthy();
  });

  test('knows who was invited after it was drawn', async () => {
    const people = [...list];
    const path = `GET /api/v1/plugins/columns-people/projects/${who.project_id}/people`;
    const { host } = renderWithHost(<PeopleCell value="bea@example.com" column={who} />, {
      api: { [path]: () => ({ list: [...people] }) },
    });
    expect(await screen.findByTitle(/no member of this project any more/)).toBeTruthy();
    people.push({ email: 'bea@example.com', name: 'Bea' });
    act(() => host.invalidate(['projects']));
    expect(await screen.findByText('Bea')).toBeTruthy();
    expect(screen.queryByTitle(/no member of this project any more/)).toBeNull();
  });

  test('calls people by what is known of them', () => {
    expect(nameOf({ email: 'grace.hopper@example.com' })).toBe('grace.hopper');
    expect(initialsOf({ email: 'grace.hopper@example.com' })).toBe('GH');
    expect(initialsOf({ email: '😀@example.com', name: '😀' })).toBe('😀');
  });
});

describe('the editor of people', () => {
  test('offers oneself first, finds others by name or address, and takes several', async () => {
    const { onCommit, user } = edit('zoe@example.com');
    expect(await screen.findByRole('option', { name: /Ada/ })).toBeTruthy();
    expect(labels()[0]).toContain('member@example.com');
    expect(labels()[0]).toContain('You');
    await user.keyboard('lovel{Enter}');
    await user.keyboard('{Escape}');
    expect(onCommit).not.toHaveBeenCalled();
  });

  test('commits who was chosen when it is left', async () => {
    const { onCommit, user } = edit('zoe@example.com');
    await screen.findByRole('option', { name: /Ada/ });
    await user.keyboard('ada{Enter}');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(onCommit.mock.calls).toEqual([['zoe@example.com,ada@example.com', undefined]]);
  });

  test('of a column of one takes the first choice at once', async () => {
    const { onCommit, user } = edit('zoe@example.com', false, 'a');
    await screen.findByRole('option', { name: /Ada/ });
    await user.keyboard('da{Enter}');
    expect(onCommit.mock.calls).toEqual([['ada@example.com', 'down']]);
  });

  test('lists who left, so that they can be taken out', async () => {
    const { onCommit, user } = edit('gone@example.com,ada@example.com');
    await user.click(await screen.findByRole('option', { name: /gone@example.com.*no member any more/ }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(onCommit.mock.calls).toEqual([['ada@example.com', undefined]]);
  });

  test('says why there is nobody to choose', async () => {
    renderWithHost(
      <PeopleEditor
        autoFocus
        value={null}
        column={who}
        options={{ multiple: true }}
        onChange={jest.fn()}
        onCommit={jest.fn()}
        onCancel={jest.fn()}
      />,
      {
        api: () => {
          throw new ApiError(503, 'The server is away.');
        },
      },
    );
    expect(await screen.findByText('The server is away.')).toBeTruthy();
  });
});

test('A filter names people and "me"', async () => {
  const values: CellValue[] = [];
  const type: WebColumnType = defineWebColumnType({
    ...collaborator,
    Editor: PeopleEditor,
    FilterInput: PeopleFilter,
  });
  const anyOf = {
    id: 'anyof',
    label: 'has any of',
    arity: 'list' as const,
    build: () => ({ kind: 'always' as const, value: true }),
  };
  function Filters() {
    const [tree, setTree] = useState<Parameters<typeof FilterEditor>[0]['value']>([
      { kind: 'condition', id: 'fl_1', logicalOp: 'and', columnId: who.id, operator: 'anyof', value: '' },
    ]);
    return (
      <FilterEditor
        columns={[who]}
        value={tree}
        emptyText=""
        onChange={(next) => {
          setTree(next);
          for (const node of next) if (node.kind === 'condition') values.push(node.value ?? null);
        }}
      />
    );
  }
  renderWithHost(<Filters />, { api, registries: { columnTypes: [type], filterOperators: [anyOf] } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /Who/ }));
  await user.click(await screen.findByRole('option', { name: /^Me/ }));
  await user.click(await screen.findByRole('option', { name: /Zoe/ }));
  expect(values).toEqual(['@me', '@me,zoe@example.com']);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.getByRole('button', { name: /me, zoe@example.com/ })).toBeTruthy();
});
