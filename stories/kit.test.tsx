import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import * as cards from '@trellis/sdk/web/cards';
import * as kit from '@trellis/sdk/web/ui';
import * as views from '@trellis/sdk/web/views';
import { cleanup, waitFor } from '@testing-library/react';
import { readStories, storyFiles } from '../sdk/testing/plugin-stories.tsx';
import { storyFailure, Watched } from './Watched.tsx';

const root = resolve(import.meta.dirname, '..');
const files = ['sdk/web', 'host-web'].flatMap((folder) =>
  storyFiles(join(root, folder)).map((file) => [folder, file] as const),
);

/** Components; what else is exported has no capital letter, or is no function. */
function componentsOf(entry: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(entry).filter((name) => /^[A-Z]/.test(name) && typeof entry[name] === 'function');
}

beforeEach(() => {
  // Long lists draw what is in sight.
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe.each([
  ['the kit', kit],
  ['what views are made of', views],
  ['cards', cards],
])('of %s', (_of, entry) => {
  test('each component has a story', () => {
    const stories = files.map(([folder, file]) => readFileSync(join(root, folder, file), 'utf8')).join('\n');
    const components = componentsOf(entry);
    expect(components.length).toBeGreaterThan(8);
    expect(components.filter((name) => !new RegExp(`<${name}\\b`).test(stories))).toEqual([]);
  });
});

test.each(files)('each story is drawn and nothing goes wrong: %s/%s', async (folder, file) => {
  const stories = await readStories(join(root, folder), file);
  expect(stories).not.toEqual([]);
  for (const { name, ui, host } of stories) {
    const { container, baseElement, reports, unmount } = renderWithHost(<Watched>{ui}</Watched>, host);
    await waitFor(() => {
      expect([name, storyFailure(container), reports]).toEqual([name, undefined, []]);
      // Within the story's own element, or beside it, as dialogs and menus are.
      expect([name, baseElement.querySelectorAll('*').length > 1]).toEqual([name, true]);
    });
    unmount();
  }
});
