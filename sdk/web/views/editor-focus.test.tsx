import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { FilterNode, SortKey } from '../../shared/index.ts';
import { aColumn, renderWithHost, textType } from '../../testing/web.tsx';
import { FilterEditor, SortEditor } from './index.ts';

afterEach(cleanup);

const columns = ['Name', 'Town', 'Team'].map((title) => aColumn(`cl_${title}`, title));
const button = (name: string) => screen.getAllByRole('button', { name });

function Sorts() {
  const [value, setValue] = useState<readonly SortKey[]>([
    { columnId: 'cl_Name', direction: 'asc' },
    { columnId: 'cl_Town', direction: 'asc' },
  ]);
  return <SortEditor emptyText="None" {...{ columns, value }} onChange={setValue} />;
}

function Filters() {
  const condition = (id: string): FilterNode => ({
    kind: 'condition',
    id,
    logicalOp: 'and',
    columnId: 'cl_Name',
    operator: 'eq',
    value: id,
  });
  const [value, setValue] = useState<readonly FilterNode[]>([
    { kind: 'group', id: 'g', logicalOp: 'and', children: [condition('a'), condition('b')] },
    condition('c'),
  ]);
  return <FilterEditor emptyText="None" {...{ columns, value }} onChange={setValue} />;
}

describe('the keys', () => {
  test('stay in the list of a sort whose column is changed', async () => {
    renderWithHost(<Sorts />);
    const [list] = screen.getAllByLabelText('Column to sort by');
    list?.focus();
    await userEvent.selectOptions(list as HTMLElement, 'Team');
    expect(document.activeElement).toBe(list);
    expect(list).toHaveProperty('value', 'cl_Team');
  });

  test('go to the next sort when one is removed, and to what adds one after the last', async () => {
    renderWithHost(<Sorts />);
    await userEvent.click(button('Remove this sort')[0] as HTMLElement);
    expect(document.activeElement).toBe(button('Remove this sort')[0]);
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add sort' }));
  });

  test('go to the next filter of the same level when one is removed', async () => {
    renderWithHost(<Filters />, { registries: { columnTypes: [textType] } });
    const [a, b, c] = button('Remove this filter');
    await userEvent.click(c as HTMLElement);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove this group' }));
    await userEvent.click(a as HTMLElement);
    expect(document.activeElement).toBe(b);
  });
});
