import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import ProjectMenu from './ProjectMenu.tsx';

afterEach(cleanup);

async function show(role: ProjectEntity['role']) {
  const project = aProject({ id: 'p_zoo', title: 'Zoo', role });
  const memory = renderWithHost(<ProjectMenu />, { project, api: () => project });
  const user = userEvent.setup();
  const choose = async (entry: string) => {
    await user.click(screen.getByRole('button', { name: 'Menu of Zoo' }));
    await user.click(screen.getByRole('menuitem', { name: entry }));
  };
  const writes = () => memory.requests.filter(({ method = 'GET' }) => method !== 'GET');
  return { ...memory, user, choose, writes };
}

describe('the menu of the open project', () => {
  test('renames it', async () => {
    const { choose, user, writes } = await show('owner');
    await choose('Rename');
    await user.keyboard('Farm{Enter}');
    await waitFor(() =>
      expect(writes()).toMatchObject([
        { method: 'PATCH', path: '/api/v1/db/meta/projects/p_zoo', body: { title: 'Farm' } },
      ]),
    );
  });

  test('deletes it after its name was typed, and goes on to My Projects', async () => {
    const { choose, questions, writes, visited } = await show('owner');
    await choose('Delete');
    await waitFor(() =>
      expect(writes()).toMatchObject([{ method: 'DELETE', path: '/api/v1/db/meta/projects/p_zoo' }]),
    );
    expect(questions).toMatchObject([{ danger: true, typeToConfirm: 'Zoo' }]);
    await waitFor(() => expect(visited).toEqual(['/projects']));
  });

  test('offers neither to whoever may only look', async () => {
    await show('viewer');
    expect(screen.queryByRole('button', { name: 'Menu of Zoo' })).toBeNull();
  });
});
