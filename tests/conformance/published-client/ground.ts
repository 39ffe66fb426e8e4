import { afterAll, afterEach, describe } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { Api } from 'nocodb-sdk';
import { describeEachServer } from '../../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../../host-server/testing.ts';

/** A separate server for each test, and the client that other programs use. */
export interface ClientGround {
  /** A client without an account, for the server that the last `signUp` started. */
  guest(): Api<unknown>;
  signUp(): Promise<Api<unknown>>;
  /** A project `Atlas` with a table `City` of three rows. */
  withCities(): Promise<Cities>;
}

export interface Cities {
  readonly api: Api<unknown>;
  readonly projectId: string;
  /** The answer of the call that created it. */
  readonly table: Awaited<ReturnType<Api<unknown>['dbTable']['create']>>;
  /** The title of its view. */
  readonly view: string;
}

/** The names of listed cities. */
export const names = (answer: { readonly list?: unknown }): readonly string[] =>
  (answer.list as readonly { readonly Name: string }[]).map(({ Name }) => Name);

/**
 * A form as the client's axios can send it, which does not support Node's `FormData`: its bytes, and the params with their type.
 */
export async function asSent(form: FormData) {
  const made = new Response(form);
  const headers = { 'content-type': made.headers.get('content-type') ?? '' };
  return [Buffer.from(await made.arrayBuffer()) as never, { type: undefined, headers } as never] as const;
}

/** The client's calls by group and name, as in the published package. */
export function callsOf(api: object): readonly string[] {
  return Object.entries(api).flatMap(([group, calls]: [string, unknown]) =>
    typeof calls !== 'object' || calls === null || group === 'instance'
      ? []
      : Object.entries(calls)
          .filter(([, call]) => typeof call === 'function')
          .map(([name]) => `${group}.${name}`),
  );
}

/** Tests of the client's calls and answers, with metadata in each database. */
export function describeClient(area: string, tests: (ground: ClientGround) => void): void {
  describe(`the published client: ${area}, on SQLite`, () => {
    tests(groundOf(() => createTestServer()));
  });

  describeEachServer(`the published client: ${area}`, (dialect) => {
    const databases = createStartedDatabases(dialect);
    afterAll(() => databases.dropAll());
    tests(groundOf(() => createTestServer({ database: databases })));
  });
}

function groundOf(start: () => Promise<TestServer>): ClientGround {
  let server: TestServer;
  afterEach(() => server.dispose());
  const guest = () => new Api<unknown>({ baseURL: server.url });

  async function signUp() {
    server = await start();
    const api = guest();
    const { token } = await api.auth.signup({ email: 'ann@example.com', password: 'Passw0rd!x' });
    api.instance.defaults.headers.common['xc-auth'] = token;
    return api;
  }

  async function withCities(): Promise<Cities> {
    const api = await signUp();
    const project = await api.project.create({ title: 'Atlas' });
    const projectId = project.id ?? '';
    const table = await api.dbTable.create(projectId, {
      table_name: 'city',
      title: 'City',
      columns: [
        { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
        { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
        { column_name: 'people', title: 'People', uidt: 'Number' },
      ],
    } as never);
    const rows = [
      ['Oslo', 700_000],
      ['Bern', 130_000],
      ['Lima', 10_000_000],
    ].map(([Name, People]) => ({ Name, People }));
    for (const row of rows) await api.dbTableRow.create('noco', 'Atlas', 'City', row);
    const views = (await api.dbView.list(table.id ?? '')).list as unknown as readonly { title: string }[];
    return { api, projectId, table, view: views[0]?.title ?? '' };
  }

  return { guest, signUp, withCities };
}
