import { afterAll, beforeAll } from '@jest/globals';
import type { ColumnTypeGround } from './describe-column-type.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/**
 * A ground with one server for all column types, which takes longer to start than a suite takes to run. It is there for the tests of
 * the block in which this is called.
 */
export function sharedGround(name: string, start: () => Promise<TestServer>): ColumnTypeGround {
  let server: TestServer;
  let admin: TestClient;
  beforeAll(async () => {
    server = await start();
    admin = await server.signUp();
  });
  afterAll(() => server?.dispose());
  return {
    name,
    start: () =>
      Promise.resolve({ ...server, signUp: () => Promise.resolve(admin), dispose: async () => {} }),
  };
}
