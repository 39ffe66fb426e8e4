import TestSequencer from '@jest/test-sequencer';

/**
 * Files that take half a minute or more, slowest first. Jest estimates by size, and would leave one of them for the end on a single
 * worker.
 */
const slow = [
  'tests/package/create-trellis-plugin.test.ts',
  'tests/e2e/random-kills.test.ts',
  'host-server/plugins/library/removal.test.ts',
  'tests/conformance/column-types.test.ts',
  'tests/data-path/killed-process.test.ts',
  'tests/package/sdk-examples.test.ts',
  'tests/package/trellis-plugin.test.ts',
  'tests/conformance/first-start-together.test.ts',
  'tests/package/first-plugin.test.ts',
  'tests/conformance/plugins.test.ts',
  'tests/e2e/accessibility.test.ts',
  'tests/conformance/shared-view-leaks.test.ts',
  'tests/e2e/crm.test.ts',
  'tests/conformance/database-outages.test.ts',
  'tests/conformance/hostile-settings.test.ts',
];

export default class SlowestFirst extends TestSequencer {
  /** Jest's own order if it knows the files' durations; before the first run, the files above and then by size. */
  sort(tests) {
    const sorted = super.sort(tests);
    const rank = ({ path, duration, context }) => {
      const place = slow.indexOf(path.slice(context.config.rootDir.length + 1));
      return duration !== undefined || place === -1 ? slow.length : place;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
