import SqliteFile from 'better-sqlite3';

/** The rows of `Pet` in the file, as the API returns them. */
export const fileRows: readonly object[] = [
  { Id: 1, Name: 'Cat' },
  { Id: 2, Name: 'Dog' },
];

/** The content of another application's small database: one table and an index. */
export function sqliteFile(): Buffer {
  const database = new SqliteFile(':memory:');
  try {
    database.exec('create table pet (id integer primary key, name text not null)');
    database.exec('create index pet_name on pet (name)');
    database.exec("insert into pet (name) values ('Cat'), ('Dog')");
    return database.serialize();
  } finally {
    database.close();
  }
}
