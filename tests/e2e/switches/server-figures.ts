import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askUntil } from '@trellis/sdk/testing/server';
import Database from 'better-sqlite3';
import type { BuiltServer } from '../built-product.ts';

/** What a server's main thread holds, without garbage. */
export interface ServerFigures {
  /** Bytes. */
  readonly heap: number;
  readonly timers: number;
  readonly emitters: number;
  readonly signals: number;
  /** The process's listeners. */
  readonly listeners: number;
  /** Open handles by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** The environment that makes a server measurable. */
export const weighable = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'server-belongings.mjs')).href}`,
};

export async function weighServer(server: BuiltServer, dataDir: string): Promise<ServerFigures> {
  const file = join(dataDir, 'belongings.json');
  await rm(file, { force: true });
  server.signal('SIGUSR2');
  await askUntil(async () => existsSync(file), Boolean);
  return JSON.parse(await readFile(file, 'utf8')) as ServerFigures;
}

/** The number of rows in each table of the server's database. */
export function countRows(dataDir: string): RowCounts {
  const database = new Database(join(dataDir, 'trellis.db'), { readonly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all();
    const count = (table: string) => database.prepare(`select count(*) from "${table}"`).pluck().get();
    return Object.fromEntries((tables as string[]).map((table) => [table, Number(count(table))]));
  } finally {
    database.close();
  }
}
