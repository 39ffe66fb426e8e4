import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const shared = {
  // For `.js`, the package.json decides.
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.jsx'],
  transform: { '\\.(tsx?|jsx)$': here('oxc-transformer.mjs') },
  moduleNameMapper: { '\\.(css|svg|png|woff2)$': here('empty-module.cjs') },
};

export const inNode = { ...shared, testEnvironment: here('node-environment.cjs') };

export const inPage = {
  ...shared,
  testEnvironment: here('jsdom-environment.cjs'),
  setupFilesAfterEnv: [here('patient-queries.mjs')],
};

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
