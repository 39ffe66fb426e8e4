declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex';
  const client: typeof Knex.Client;
  export default client;
}

declare module 'knex/lib/dialects/mssql/index.js' {
  import type { Knex } from 'knex';
  const client: typeof Knex.Client;
  export default client;
}
