import { resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { cleanup, screen } from '@testing-library/react';
import JournalTab from './JournalTab.tsx';

describeWebPlugin(resolve(import.meta.dirname, '..'));
afterEach(cleanup);

const project = aProject();
const path = `GET /api/v1/plugins/acme-journal/projects/${project.id}/days`;

test("the tab of 'dashboardTabs' tells the changes of each day", async () => {
  const list = [
    { day: '2026-11-28', changes: 12 },
    { day: '2026-11-27', changes: 1 },
  ];
  renderWithHost(<JournalTab project={project} />, { project, api: { [path]: { list } } });
  expect(await screen.findByText('12 changes')).toBeTruthy();
  expect((await screen.findByLabelText('Journal')).textContent).toBe(
    '2026-11-2812 changes2026-11-271 change',
  );
});

test('it says so where nothing was changed', async () => {
  renderWithHost(<JournalTab project={project} />, { project, api: { [path]: { list: [] } } });
  expect(await screen.findByText('Nothing was changed yet')).toBeTruthy();
});
