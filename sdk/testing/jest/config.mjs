import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const shared = {
  // For `.js`, the package.json decides.
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.jsx'],
  transform: { '\\.(tsx?|jsx)$': here('oxc-transformer.mjs') },
  moduleNameMapper: { '\\.(css|svg|png|woff2)$': here('empty-module.cjs') },
};

/** Jest's settings for tests of the server's side. */
export const inNode = { ...shared, testEnvironment: here('node-environment.cjs') };

/** Jest's settings for tests of the page's side. */
export const inPage = {
  ...shared,
  testEnvironment: here('jsdom-environment.cjs'),
  setupFilesAfterEnv: [here('patient-queries.mjs')],
};

/**
 * Jest's configuration for a plugin in its own folder: `*.test.ts` and `*.test.js` run under Node, `*.test.tsx` and `*.test.jsx` in
 * a page.
 *
 * @param within the name of the only subfolder whose tests run; if absent, all tests run but those in hidden folders, which
 *   belong to tools.
 */
export function pluginJestConfig(folder, within) {
  const tests = within === undefined ? '<rootDir>' : `<rootDir>/${within}`;
  const own = {
    rootDir: folder,
    modulePathIgnorePatterns: ['<rootDir>/dist/'],
    // Plugins that this one depends on may be in folders without installed packages.
    modulePaths: ['<rootDir>/node_modules'],
    testPathIgnorePatterns: ['/node_modules/', ...(within === undefined ? ['<rootDir>/\\.'] : [])],
  };
  return {
    rootDir: folder,
    // Aborts a hanging test; a busy machine takes long to start a server.
    testTimeout: 120_000,
    projects: [
      { ...inNode, ...own, displayName: 'server', testMatch: [`${tests}/**/*.test.[tj]s`] },
      { ...inPage, ...own, displayName: 'web', testMatch: [`${tests}/**/*.test.[tj]sx`] },
    ],
  };
}
