import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
// Named one by one, so that Jest never walks node_modules, dist or data.
const roots = ['core', 'sdk', 'host-server', 'host-web', 'plugins', 'stories', 'tests']
  .map((folder) => `${root}/${folder}`)
  .filter((folder) => existsSync(folder));

const shared = {
  rootDir: root,
  roots,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': '<rootDir>/tests/jest/oxc-transformer.mjs' },
  moduleNameMapper: { '\\.(css|svg|png|woff2)$': '<rootDir>/tests/jest/empty-module.cjs' },
};
const slow = ['<rootDir>/tests/e2e/', '<rootDir>/tests/conformance/', '<rootDir>/tests/bench/'];

/** Unit tests stand beside their files; what crosses the whole product stands in tests/. */
export default {
  rootDir: root,
  maxWorkers: '100%',
  workerIdleMemoryLimit: '600MB',
  coverageProvider: 'v8',
  coverageDirectory: '<rootDir>/coverage',
  // Ends a test that hangs. No test says by it how fast something is: other programs may use both cores.
  testTimeout: 120_000,
  projects: [
    {
      ...shared,
      displayName: 'server',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...slow],
    },
    {
      ...shared,
      displayName: 'web',
      testEnvironment: '<rootDir>/tests/jest/jsdom-environment.cjs',
      testMatch: ['<rootDir>/**/*.test.tsx'],
      testPathIgnorePatterns: ['/node_modules/', ...slow],
      // As in the page, before anything loads React.
      setupFiles: ['<rootDir>/host-web/public/boot-commits.js'],
      setupFilesAfterEnv: ['<rootDir>/tests/jest/patient-queries.mjs'],
    },
    {
      ...shared,
      displayName: 'conformance',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/tests/conformance/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'conformance-web',
      testEnvironment: '<rootDir>/tests/jest/jsdom-environment.cjs',
      testMatch: ['<rootDir>/tests/conformance/**/*.test.tsx'],
      setupFilesAfterEnv: ['<rootDir>/tests/jest/patient-queries.mjs'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'],
    },
  ],
};
