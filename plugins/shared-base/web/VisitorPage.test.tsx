import { afterEach, describe, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { ApiError, dashboardRoute, type WebRoute } from '@trellis/sdk/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';

const uuid = '20180998-4a79-4049-b966-b616267981ca';
window.location.hash = `#/nc/base/${uuid}`;
// The page remembers by which address it was started.
const { default: VisitorPage } = await import('./VisitorPage.tsx');

const dashboard: WebRoute = {
  id: dashboardRoute,
  path: '/nc/:projectId',
  Component: () => <p>The project</p>,
};

function visit(answer: () => unknown) {
  return renderWithHost(<VisitorPage />, {
    user: null,
    registries: { routes: [dashboard] },
    api: { [`GET /api/v1/db/public/shared-base/${uuid}/meta`]: answer },
  });
}

afterEach(cleanup);

describe('the page of a shared project', () => {
  test('says that the link opens nothing where the server knows no such link', async () => {
    visit(() => {
      throw new ApiError(404, 'There is none', 'NOT_FOUND');
    });
    expect(await screen.findByText('This link opens nothing')).toBeTruthy();
  });

  test('says nothing of the link where the server could not be asked, and asks again', async () => {
    let isAway = true;
    visit(() => {
      if (isAway) throw new ApiError(429, 'Too many at once', 'TOO_MANY_REQUESTS');
      return { project_id: 'p_1' };
    });
    await screen.findByText('Too many at once');
    expect(screen.queryByText('This link opens nothing')).toBeNull();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The project')).toBeTruthy();
  });
});
