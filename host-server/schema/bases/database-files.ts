import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, rename, stat, statfs } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TrellisError } from '@trellis/core';
import type { DatabaseFiles } from '@trellis/sdk/server';
import { besideFile, checkSqliteFile, DatabaseError, removeSqliteFile } from '../../databases/index.ts';
import { models } from '../../metadata/models/models.ts';
import { isFullDisk } from '../../runtime/full-disk.ts';
import { randomText } from '../../runtime/ids.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreDependencies } from '../schema-store-parts.ts';
import type { StoredConnection } from './base-settings.ts';

/** Within the folder of SQLite files. */
const folderName = 'uploads';
const sqliteBegin = Buffer.from('SQLite format 3\0', 'latin1');
const partEnding = '.part';
/** What was brought and became no base within this time goes. Milliseconds. */
const unusedMs = 24 * 60 * 60 * 1000;

/** The files that people bring, with what only the host calls. */
export interface HostDatabaseFiles extends DatabaseFiles {
  /** Removes the file of a base that has gone where somebody brought it and no other base has it. */
  release(connection: Pick<StoredConnection, 'settings'>): Promise<void>;
  /** Removes what became no base, and what servers left that were killed. */
  sweep(now?: number): Promise<void>;
}

/**
 * Database files that people send from their computer. They lie in a folder within that of the server's own SQLite files and are opened
 * like those, and unlike those they go with their base.
 */
export function createDatabaseFiles(
  deps: Pick<SchemaStoreDependencies, 'metadata' | 'databases' | 'sqliteFolder' | 'uploadLimit'>,
): HostDatabaseFiles {
  const { metadata, databases, sqliteFolder, uploadLimit: limit } = deps;
  const folder = sqliteFolder === undefined ? undefined : join(sqliteFolder, folderName);

  function usableFolder(): string {
    if (folder === undefined || limit === 0) throw schemaErrors.create('FILE_UPLOAD_OFF');
    return folder;
  }

  /** The place of a file as its base names it; undefined for one that nobody brought. */
  function placeOf(file: unknown): string | undefined {
    if (folder === undefined || typeof file !== 'string') return undefined;
    const place = resolve(folder, '..', file);
    return resolve(place, '..') === folder && !basename(place).startsWith('.') ? place : undefined;
  }

  /** The real places of the files that bases have, those of deleted projects too. */
  async function placesInUse(): Promise<ReadonlySet<string>> {
    const { BaseModel } = await models();
    const rows = await metadata.database.read(async (unit) =>
      BaseModel.query(unit.knex).whereNotNull('config').select('config'),
    );
    const files = rows.flatMap(({ config }) => {
      const file = config === null ? undefined : databases.unseal(config).settings.file;
      return typeof file === 'string' ? [file] : [];
    });
    return new Set(await Promise.all(files.map((file) => realPlace(resolve(sqliteFolder ?? '', file)))));
  }

  async function removeUnused(place: string): Promise<boolean> {
    if ((await placesInUse()).has(await realPlace(place))) return false;
    await removeSqliteFile(place);
    return true;
  }

  return {
    limit: folder === undefined ? 0 : limit,

    async assertRoom(scope, bytes) {
      scope.require('databaseOpen');
      const place = usableFolder();
      if (bytes > limit) throw schemaErrors.create('FILE_UPLOAD_LARGE', { megabytes: limit / megabyte });
      await mkdir(place, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(place);
      if (bytes > bavail * bsize) throw schemaErrors.create('FILE_UPLOAD_NO_ROOM');
    },

    async receive(scope, { name, content, signal }) {
      scope.require('databaseOpen');
      const place = usableFolder();
      await mkdir(place, { recursive: true, mode: 0o700 });
      const part = join(place, `.${randomText(20)}${partEnding}`);
      try {
        const kept = createWriteStream(part, { flags: 'wx', mode: 0o600 });
        await pipeline(content, onlySqlite(), kept, { signal });
        await checkSqliteFile(part, signal);
        const { size: bytes } = await stat(part);
        const file = `${plainName(name)}-${randomText(8)}.sqlite`;
        await rename(part, join(place, file));
        return { file: `${folderName}/${file}`, bytes };
      } catch (error) {
        await removeSqliteFile(part);
        throw refusal(error);
      }
    },

    async discard(scope, file) {
      scope.require('databaseOpen');
      const place = placeOf(file);
      if (place === undefined) throw schemaErrors.create('FILE_UPLOAD_GONE');
      if (!(await removeUnused(place))) throw schemaErrors.create('FILE_IN_USE');
    },

    async release({ settings }) {
      const place = placeOf(settings.file);
      if (place !== undefined) await removeUnused(place);
    },

    async sweep(now = Date.now()) {
      if (folder === undefined) return;
      const names = await readdir(folder).catch(() => []);
      if (names.length === 0) return;
      const used = await placesInUse();
      for (const name of names) {
        if (besideFile.some((ending) => name.endsWith(ending))) continue;
        const place = join(folder, name);
        const { mtimeMs, isThere } = await ageOf(place);
        if (isThere && mtimeMs < now - unusedMs && !used.has(await realPlace(place)))
          await removeSqliteFile(place);
      }
    },
  };
}

const megabyte = 1024 * 1024;

async function ageOf(place: string): Promise<{ readonly mtimeMs: number; readonly isThere: boolean }> {
  return stat(place).then(
    ({ mtimeMs }) => ({ mtimeMs, isThere: true }),
    // Another server may have removed it.
    () => ({ mtimeMs: 0, isThere: false }),
  );
}

function realPlace(place: string): Promise<string> {
  return realpath(place).catch(() => place);
}

/** Ends what does not begin like a database, before all of it has come. */
function onlySqlite(): Transform {
  let begin: Buffer | undefined = Buffer.alloc(0);
  const isRight = () => begin?.subarray(0, sqliteBegin.length).equals(sqliteBegin) === true;
  const wrong = () => new DatabaseError('notADatabase');
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (begin === undefined) return done(null, chunk);
      begin = Buffer.concat([begin, chunk]);
      if (begin.length < sqliteBegin.length) return done();
      if (!isRight()) return done(wrong());
      const all = begin;
      begin = undefined;
      done(null, all);
    },
    flush: (done) => done(begin === undefined ? null : wrong()),
  });
}

/** The name that somebody gave a file, as part of one of ours: letters, digits and dashes of any script. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return Array.from(plain).slice(0, 40).join('') || 'database';
}

/** In words for whoever sent the file. */
function refusal(error: unknown): unknown {
  if (error instanceof TrellisError) return error;
  if (isFullDisk(error)) return schemaErrors.create('FILE_UPLOAD_NO_ROOM', {}, error);
  if (!(error instanceof DatabaseError)) return error;
  switch (error.kind) {
    case 'storageFull':
      return schemaErrors.create('FILE_UPLOAD_NO_ROOM', {}, error);
    case 'notADatabase':
      return schemaErrors.create('FILE_UPLOAD_NOT_SQLITE', {}, error);
    case 'damaged':
      return schemaErrors.create('FILE_UPLOAD_DAMAGED', {}, error);
    case 'cancelled':
      return error;
    default:
      return schemaErrors.create('FILE_UPLOAD_UNREADABLE', {}, error);
  }
}
