import { copyFile } from 'node:fs/promises';
import type { DialectName } from '../../dialects/dialect.ts';
import { openDatabase } from '../connections/open-database.ts';
import type { Database, DatabaseTarget } from '../database.ts';
import type { EmptyDatabases } from './empty-databases.ts';
import { readContents, restoreContents, type Contents } from './table-contents.ts';

/** Fresh databases for tests. */
export interface Supply {
  take(): Promise<DatabaseTarget>;
  /** Nobody is connected to it any more. */
  giveBack(target: DatabaseTarget): void;
}

/** What each database begins with. */
export type Prepare = (database: Database) => Promise<void>;

/** Databases that were all prepared alike, with the work done once. */
export function preparedDatabases(kind: DialectName, empty: EmptyDatabases, prepare: Prepare): Supply {
  return kind === 'mysql' ? reused(empty, prepare) : copies(empty, prepare);
}

/** A file is copied, and PostgreSQL copies a database. */
function copies(empty: EmptyDatabases, prepare: Prepare): Supply {
  let original: Promise<DatabaseTarget> | undefined;

  async function makeOriginal(): Promise<DatabaseTarget> {
    const target = await empty.create();
    await within(target, prepare);
    return target;
  }

  return {
    async take() {
      const from = await (original ??= makeOriginal());
      if (from.kind !== 'sqlite') return empty.createOnServer('postgres', from.database);
      const copy = await empty.createFile();
      await copyFile(from.file, copy.file);
      return copy;
    },
    giveBack() {},
  };
}

/** MySQL copies no databases and takes long to create tables: those that were given back get their first contents again. */
function reused(empty: EmptyDatabases, prepare: Prepare): Supply {
  const givenBack: DatabaseTarget[] = [];
  let contents: Contents | undefined;
  return {
    async take() {
      const former = givenBack.pop();
      const known = contents;
      if (former !== undefined && known !== undefined) {
        await within(former, (database) => restoreContents(database, known));
        return former;
      }
      const target = await empty.create();
      await within(target, async (database) => {
        await prepare(database);
        contents ??= await readContents(database);
      });
      return target;
    },
    giveBack: (target) => void givenBack.push(target),
  };
}

async function within(target: DatabaseTarget, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(target, { name: `test ${target.kind}` });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
