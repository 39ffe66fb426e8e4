declare module 'knex/lib/knex-builder/make-knex.js' {
  import type { Knex } from 'knex';
  export default function makeKnex(client: Knex.Client): Knex;
}

declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex';
  const client: typeof Knex.Client;
  export default client;
}
