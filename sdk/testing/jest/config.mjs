import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const shared = {
  // `.js` is what its package.json says.
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.jsx'],
  transform: { '\\.(tsx?|jsx)$': here('oxc-transformer.mjs') },
  moduleNameMapper: { '\\.(css|svg|png|woff2)$': here('empty-module.cjs') },
};

/** What Jest needs for tests of the server's side. */
export const inNode = { ...shared, testEnvironment: here('node-environment.cjs') };

/** What Jest needs for tests of the page's side. */
export const inPage = {
  ...shared,
  testEnvironment: here('jsdom-environment.cjs'),
  setupFilesAfterEnv: [here('patient-queries.mjs')],
};

/**
 * Jest's configuration for a plugin in a folder of its own: `*.test.ts` and `*.test.js` run under Node, `*.test.tsx` and `*.test.jsx` in a page.
 *
 * @param within the name of the one folder in it whose tests run; absent for all but those in hidden folders, where tools keep theirs.
 */
export function pluginJestConfig(folder, within) {
  const tests = within === undefined ? '<rootDir>' : `<rootDir>/${within}`;
  const own = {
    rootDir: folder,
    modulePathIgnorePatterns: ['<rootDir>/dist/'],
    // Plugins that this one needs may lie where no packages are installed.
    modulePaths: ['<rootDir>/node_modules'],
    testPathIgnorePatterns: ['/node_modules/', ...(within === undefined ? ['<rootDir>/\\.'] : [])],
  };
  return {
    rootDir: folder,
    // Ends a test that hangs; a machine that is busy takes long to start a server.
    testTimeout: 120_000,
    projects: [
      { ...inNode, ...own, displayName: 'server', testMatch: [`${tests}/**/*.test.[tj]s`] },
      { ...inPage, ...own, displayName: 'web', testMatch: [`${tests}/**/*.test.[tj]sx`] },
    ],
  };
}
