import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderWithHost } from '../../testing/web.tsx';
import { NewCard } from './NewCard.tsx';

afterEach(cleanup);

const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a name that was typed for a new row is asked about before it is lost, until the row is added', async () => {
  const added: string[] = [];
  const onAdd = async (name: string) => added.push(name) > 0;
  renderWithHost(<NewCard label="New row in Done" onAdd={onAdd} onClose={() => undefined} />);
  expect(leavesAsking()).toBe(false);
  await userEvent.type(screen.getByRole('textbox', { name: 'New row in Done' }), 'Paint');
  expect(leavesAsking()).toBe(true);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(leavesAsking()).toBe(false));
  expect(added).toEqual(['Paint']);
});
