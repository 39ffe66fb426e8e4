import { describeEachDatabase, type OpenTestDatabase } from '../databases/testing.ts';
import type { TestedDialect } from '../databases/testing/test-servers.ts';
import { withMetadata } from './with-metadata.ts';

export { withMetadata } from './with-metadata.ts';

/** Like `describeEachDatabase`, with databases that contain this version's metadata tables. */
export function describeEachMetadata(
  name: string,
  suite: (open: OpenTestDatabase, dialect: TestedDialect) => void,
): void {
  describeEachDatabase(name, suite, withMetadata);
}
