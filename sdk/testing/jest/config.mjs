import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const shared = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': here('oxc-transformer.mjs') },
  moduleNameMapper: { '\\.(css|svg|png|woff2)$': here('empty-module.cjs') },
};

/** What Jest needs for tests of the server's side. */
export const inNode = { ...shared, testEnvironment: 'node' };

/** What Jest needs for tests of the page's side. */
export const inPage = {
  ...shared,
  testEnvironment: here('jsdom-environment.cjs'),
  setupFilesAfterEnv: [here('patient-queries.mjs')],
};

/** Jest's configuration for a plugin in a folder of its own: `*.test.ts` run under Node, `*.test.tsx` in a page. */
export function pluginJestConfig(folder) {
  const own = { rootDir: folder, modulePathIgnorePatterns: ['<rootDir>/dist/'] };
  return {
    rootDir: folder,
    // Ends a test that hangs; a machine that is busy takes long to start a server.
    testTimeout: 120_000,
    projects: [
      { ...inNode, ...own, displayName: 'server', testMatch: ['<rootDir>/**/*.test.ts'] },
      { ...inPage, ...own, displayName: 'web', testMatch: ['<rootDir>/**/*.test.tsx'] },
    ],
  };
}
