import { copyFile, readFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { ExistingServerKind, TestedDialect } from './test-servers.ts';
import { openDatabase } from '../connections/open-database.ts';
import type { Database, DatabaseTarget, ServerTarget } from '../database.ts';
import type { EmptyDatabases } from './empty-databases.ts';
import { isThere, leaveInPool, readShared, runFolder, share, takeFromPool } from './shared-in-run.ts';
import { isAtRest, readContents, readShape, restoreContents, type Contents } from './table-contents.ts';

/** Fresh databases for tests. */
export interface Supply {
  take(): Promise<DatabaseTarget>;
  /** Call it when nobody is connected to it any more. */
  giveBack(target: DatabaseTarget): void;
  /** Call it before all databases are dropped. */
  end(): Promise<void>;
}

/** The initial contents of each database. */
export interface Prepare {
  (database: Database, target: DatabaseTarget): Promise<void>;
  /** The name under which the run's files share its result. */
  readonly sharedAs?: string;
}

/** Equally prepared databases; the preparation runs once. */
export function preparedDatabases(
  kind: TestedDialect | ExistingServerKind,
  empty: EmptyDatabases,
  prepare: Prepare,
): Supply {
  if (kind === 'mysql') return reused(empty, prepare);
  return kind === 'sqlite' ? copiedFiles(empty, prepare) : copiedDatabases(empty, prepare);
}

/** A closed file is complete without its log, so it can be copied. */
function copiedFiles(empty: EmptyDatabases, prepare: Prepare): Supply {
  let original: Promise<string> | undefined;

  async function makeOriginal(): Promise<string> {
    const name = prepare.sharedAs === undefined ? undefined : `${prepare.sharedAs}.db`;
    const folder = runFolder();
    const isShared = name !== undefined && folder !== undefined;
    if (isShared && (await isThere(name))) return `${folder}/${name}`;
    const target = await empty.createFile();
    await within(target, (database) => prepare(database, target));
    if (isShared) await share(name, await readFile(target.file));
    return target.file;
  }

  return {
    async take() {
      const from = await (original ??= makeOriginal());
      const copy = await empty.createFile();
      await copyFile(from, copy.file);
      return copy;
    },
    giveBack() {},
    async end() {},
  };
}

/** PostgreSQL can copy databases. */
function copiedDatabases(empty: EmptyDatabases, prepare: Prepare): Supply {
  let original: Promise<string> | undefined;

  async function makeOriginal(): Promise<string> {
    const name = prepare.sharedAs === undefined ? undefined : `${prepare.sharedAs}.postgres`;
    const known = name === undefined ? undefined : await readShared(name);
    if (known !== undefined) return known.toString();
    const target = await empty.createOnServer('postgres');
    await within(target, (database) => prepare(database, target));
    if (name !== undefined && (await share(name, target.database))) empty.keep(target);
    return target.database;
  }

  return {
    take: async () => empty.createOnServer('postgres', await (original ??= makeOriginal())),
    giveBack() {},
    async end() {},
  };
}

/** The contents of a prepared MySQL database: rows, and the structure that all of them have. */
interface Prepared {
  readonly contents: Contents;
  readonly shape: string;
}

/** MySQL cannot copy databases and creates tables slowly: returned databases get their initial contents again. */
function reused(empty: EmptyDatabases, prepare: Prepare): Supply {
  const pool = prepare.sharedAs === undefined ? undefined : `${prepare.sharedAs}.mysql-databases`;
  const givenBack = new Set<ServerTarget>();
  let prepared: Prepared | undefined;

  /** A database that this file or another of the run has used; undefined if its tables have changed. */
  async function former(): Promise<ServerTarget | undefined> {
    prepared ??= await readPrepared(prepare);
    if (prepared === undefined) return undefined;
    for (;;) {
      const target = await takeFormer();
      if (target === undefined) return undefined;
      const { contents, shape } = prepared;
      const isAsBefore = await within(target, async (database) => {
        await restoreContents(database, contents);
        return (await readShape(database)) === shape;
      });
      if (isAsBefore) return target;
    }
  }

  async function takeFormer(): Promise<ServerTarget | undefined> {
    for (const target of givenBack) {
      givenBack.delete(target);
      return target;
    }
    const name = pool === undefined ? undefined : await takeFromPool(pool);
    return name === undefined ? undefined : empty.adopt('mysql', name);
  }

  return {
    async take() {
      const found = await former();
      if (found !== undefined) return found;
      const target = await empty.createOnServer('mysql');
      await within(target, async (database) => {
        await prepare(database, target);
        if (prepared !== undefined) return;
        prepared = { contents: await readContents(database), shape: await readShape(database) };
        if (prepare.sharedAs !== undefined) await share(`${prepare.sharedAs}.mysql`, serialize(prepared));
      });
      return target;
    },
    giveBack: (target) => void givenBack.add(target as ServerTarget),
    async end() {
      for (const target of pool === undefined ? [] : givenBack) {
        const isFree = await within(target, isAtRest);
        if (isFree && (await leaveInPool(pool ?? '', target.database))) empty.keep(target);
      }
      givenBack.clear();
    },
  };
}

async function readPrepared({ sharedAs }: Prepare): Promise<Prepared | undefined> {
  const bytes = sharedAs === undefined ? undefined : await readShared(`${sharedAs}.mysql`);
  return bytes === undefined ? undefined : (deserialize(bytes) as Prepared);
}

async function within<T>(target: DatabaseTarget, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(target, { name: `test ${target.kind}` });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
