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

/** The subfolder within the folder of SQLite files. */
const folderName = 'uploads';
const sqliteBegin = Buffer.from('SQLite format 3\0', 'latin1');
const partEnding = '.part';
/** Milliseconds after which an uploaded file that became no base is removed. */
const unusedMs = 24 * 60 * 60 * 1000;

/** Uploaded database files, with methods that only the host calls. */
export interface HostDatabaseFiles extends DatabaseFiles {
  /** Removes the file of a removed base, if it was uploaded and no other base uses it. */
  release(connection: Pick<StoredConnection, 'settings'>): Promise<void>;
  /** Removes uploads that became no base, and leftovers of killed servers. */
  sweep(now?: number): Promise<void>;
}

/**
 * Database files that people upload. They are in a subfolder of the server's folder of SQLite files and are opened like those,
 * but are removed with their base.
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

  /** The path of an uploaded file; undefined for a file that was not uploaded. */
  function placeOf(file: unknown): string | undefined {
    if (folder === undefined || typeof file !== 'string') return undefined;
    const place = resolve(folder, '..', file);
    return resolve(place, '..') === folder && !basename(place).startsWith('.') ? place : undefined;
  }

  /** The real paths of the files that bases use, including bases of deleted projects. */
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

/** Stops an upload as soon as its first bytes are not those of a SQLite database. */
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

/** A file's own name reduced to letters of any script, digits and dashes, as a part of the stored name. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return Array.from(plain).slice(0, 40).join('') || 'database';
}

/** The error as a message for the person who uploads. */
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
