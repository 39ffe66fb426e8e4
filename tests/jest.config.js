import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inNode, inPage } from '../sdk/testing/jest/config.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
// Named one by one, so that Jest never walks node_modules, dist or data.
const roots = ['core', 'sdk', 'host-server', 'host-web', 'plugins', 'stories', 'tests']
  .map((folder) => `${root}/${folder}`)
  .filter((folder) => existsSync(folder));

const shared = { rootDir: root, roots };
/** Modules of the product and of packages serve all files that a worker runs. */
const kept = (project, environment) => ({
  ...project,
  ...shared,
  testEnvironment: `${root}/tests/kept/${environment}`,
  runtime: `${root}/tests/kept/runtime.cjs`,
});
const keptInNode = kept(inNode, 'node-environment.cjs');
const keptInPage = {
  ...kept(inPage, 'jsdom-environment.cjs'),
  // As in the page, before anything loads React.
  setupFiles: ['<rootDir>/host-web/public/boot-commits.js'],
};
// Templates of plugins are tested as the plugins that are made of them, in a folder of their own.
const elsewhere = [
  '<rootDir>/tests/e2e/',
  '<rootDir>/tests/conformance/',
  '<rootDir>/tests/bench/',
  '<rootDir>/sdk/templates/',
];

/** Unit tests stand beside their files; what crosses the whole product stands in tests/. */
export default {
  rootDir: root,
  // More than cores, since a worker waits for disks, database servers and limits for a quarter of its time or more.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  globalSetup: '<rootDir>/tests/begin-run.mjs',
  globalTeardown: '<rootDir>/tests/end-run.mjs',
  testSequencer: '<rootDir>/tests/slowest-first.mjs',
  workerIdleMemoryLimit: '1200MB',
  coverageProvider: 'v8',
  coverageDirectory: '<rootDir>/coverage',
  // Ends a test that hangs. No test says by it how fast something is: other programs may use both cores.
  testTimeout: 300_000,
  projects: [
    {
      ...keptInNode,
      displayName: 'server',
      testMatch: ['<rootDir>/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...elsewhere],
    },
    {
      ...keptInPage,
      displayName: 'web',
      testMatch: ['<rootDir>/**/*.test.tsx'],
      testPathIgnorePatterns: ['/node_modules/', ...elsewhere],
    },
    {
      ...keptInNode,
      displayName: 'conformance',
      testMatch: ['<rootDir>/tests/conformance/**/*.test.ts'],
    },
    {
      ...keptInPage,
      displayName: 'conformance-web',
      testMatch: ['<rootDir>/tests/conformance/**/*.test.tsx'],
    },
    {
      ...keptInNode,
      displayName: 'e2e',
      testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'],
    },
  ],
};
