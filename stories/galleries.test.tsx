/** @jest-environment <rootDir>/sdk/testing/jest/jsdom-environment.cjs */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import type { WebPlugin } from '@trellis/sdk/web';
import { hasFields } from '@trellis/sdk/web/ui';
import { cleanup, waitFor } from '@testing-library/react';
import { createPluginPage, type PluginPage } from '../host-web/testing/index.ts';
import { readHalf, readManifestOf } from '../sdk/testing/plugin-folder.ts';
import { readStories, storyFiles } from '../sdk/testing/plugin-stories.tsx';
import { storyFailure, Watched } from './Watched.tsx';

const folder = resolve(import.meta.dirname, '../plugins');
const manifests = readdirSync(folder)
  .filter((id) => existsSync(join(folder, id, 'plugin.json')))
  .map((id) => readManifestOf(join(folder, id)));
const halves = new Map<string, WebPlugin>();
for (const { id } of manifests) {
  const half = await readHalf<WebPlugin>(join(folder, id), 'web');
  if (half !== undefined) halves.set(id, half);
}
// In place of what Vite finds.
jest.unstable_mockModule('./built-in-plugins.ts', () => ({
  halves: Object.fromEntries([...halves].map(([id, half]) => [`../plugins/${id}/web/index.tsx`, half])),
  manifests: Object.fromEntries(
    manifests.map((manifest) => [`../plugins/${manifest.id}/plugin.json`, manifest]),
  ),
}));

/** What the page itself has once its plugins run. */
let page: PluginPage;
beforeAll(async () => {
  page = createPluginPage(
    halves,
    manifests.map((manifest) => ({
      id: manifest.id,
      url: halves.has(manifest.id) ? manifest.id : null,
      manifest,
    })),
  );
  await page.start();
});
afterEach(cleanup);

/**
 * Draws a story until all of its sections have what belongs in them, and gives their headings.
 *
 * @param words what each of them says at the end
 */
async function headingsOf(file: string, story: string, words = /(?:)/): Promise<readonly string[]> {
  const found = (await readStories(import.meta.dirname, file)).find(({ name }) =>
    name.endsWith(`: ${story}`),
  );
  const { container, reports } = renderWithHost(<Watched>{found?.ui}</Watched>, found?.host);
  const heading = (section: Element) => section.querySelector('h2')?.textContent.trim() ?? '';
  // What is drawn may have sections, too.
  const sections = () =>
    [...container.querySelectorAll('section')].filter((section) => section.querySelector(':scope > h2'));
  await waitFor(() => {
    expect([storyFailure(container), reports]).toEqual([undefined, []]);
    expect(sections().length).toBeGreaterThan(0);
    expect(
      sections()
        .filter((section) => {
          const drawn = section.querySelector(':scope > div');
          return drawn === null || !words.test(drawn.textContent);
        })
        .map(heading),
    ).toEqual([]);
  });
  return sections().map(heading);
}

test('the page runs every plugin of ours', () => {
  const states = manifests.map(({ id }) => [id, page.manager.status(id)?.state]);
  expect(states.filter(([, state]) => state !== 'enabled')).toEqual([]);
});

test('the gallery of column types draws each type that the page has', async () => {
  const types = page.registries.get('columnTypes').list();
  expect(types.length).toBeGreaterThan(0);
  const drawn = await headingsOf('column-types.stories.tsx', 'All');
  expect(drawn.toSorted()).toEqual(types.map(({ label }) => label).toSorted());
});

test.each([
  ['All', /Paint the wall|Name|To do|Today/],
  // A form that may not be filled in says so.
  ['ReadOnly', /\S/],
])(
  'the gallery of views draws each type that the page has, with the rows or the questions: %s',
  async (story, words) => {
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    const labels = page.registries
      .get('viewTypes')
      .list()
      .map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['Grid', 'Form', 'Gallery', 'Kanban', 'Calendar', 'Timeline']),
    );
    const drawn = await headingsOf('view-types.stories.tsx', story, words);
    jest.restoreAllMocks();
    expect(drawn.toSorted()).toEqual(labels.toSorted());
  },
);

test('the gallery of forms draws the settings of each plugin, and the options of each type that has some', async () => {
  const options = page.registries
    .get('columnTypes')
    .list()
    .flatMap(({ label, options: of }) => (of === undefined ? [] : [`Column type ${label}`]));
  const looks = page.registries
    .get('viewTypes')
    .list()
    .flatMap(({ label, options: of }) => (hasFields(of) ? [`View type ${label}`] : []));
  const settings = manifests.flatMap(({ name, settings: of }) => (of === undefined ? [] : [name]));
  for (const names of [options, looks, settings]) expect(names).not.toEqual([]);
  const drawn = await headingsOf('settings-forms.stories.tsx', 'All');
  expect(drawn.toSorted()).toEqual([...options, ...looks, ...settings].toSorted());
});

test.each(storyFiles(import.meta.dirname))(
  'each gallery begins with one of what it has: %s',
  async (file) => {
    expect(await headingsOf(file, 'One')).toHaveLength(1);
  },
);
