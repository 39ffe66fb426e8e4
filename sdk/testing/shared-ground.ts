import { afterAll, beforeAll } from '@jest/globals';
import type { ColumnTypeGround } from './describe-column-type.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/**
 * A ground with one server for all column types, because starting it takes longer than running a suite. It exists during the tests
 * of the calling block.
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
