import { afterEach, describe, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import PreviewBanner from './PreviewBanner.tsx';
import PreviewMenu from './PreviewMenu.tsx';
import { isPreviewed, previewedRole } from './preview-state.ts';

const key = 'trellis.preview-as';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('the preview of a tab', () => {
  test('is told of by a banner with a way out', () => {
    sessionStorage.setItem(key, 'commenter');
    renderWithHost(<PreviewBanner />);
    expect(screen.getByRole('status').textContent).toContain('You see this project as commenter.');
    expect(screen.getByRole('button', { name: 'Exit preview' })).toBeTruthy();
  });

  test('is of the three roles alone', () => {
    for (const role of ['owner', 'creator', 'king']) {
      sessionStorage.setItem(key, role);
      expect(previewedRole()).toBeUndefined();
    }
  });

  test.each([
    ['/api/v1/db/meta/projects/p_1', '#/nc/p_1', true],
    ['/api/v1/auth/user/me', '#/nc/p_1', false],
    ['/api/v1/db/meta/projects', '#/projects', false],
    ['/api/v1/plugins/web', '#/nc/p_1', false],
    ['/live', '#/projects', true],
  ])('goes with %s at %s: %s', (path, hash, isSent) => {
    expect(isPreviewed(path, hash)).toBe(isSent);
  });
});

test('the menu offers a role that somebody else has made since', async () => {
  let roles: readonly object[] = [];
  const { receive } = renderWithHost(<PreviewMenu />, { project: aProject(), api: () => ({ list: roles }) });
  await userEvent.click(screen.getByRole('button', { name: 'Preview as' }));
  await screen.findByRole('menuitem', { name: 'Preview as viewer' });
  expect(screen.queryByRole('menuitem', { name: 'Preview as Interns' })).toBeNull();
  roles = [{ id: 'ro_1', title: 'Interns' }];
  act(() => receive({ kind: 'objects', projectId: 'p_1', objectKind: 'custom-roles', requestId: 'theirs' }));
  expect(await screen.findByRole('menuitem', { name: 'Preview as Interns' })).toBeTruthy();
});
