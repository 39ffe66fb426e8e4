import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import Koa from 'koa';
import type { UploadedFile } from '@trellis/sdk/server';
import { isFullDisk } from '../runtime/full-disk.ts';
import { httpErrors } from './http-errors.ts';
import { cutSlow, type BodyLimits } from './request-body.ts';

const mostFiles = 50;
const mostFields = 200;
const mostFieldBytes = 1024 * 1024;
const folderPrefix = 'trellis-upload-';
/** No upload takes so long. Milliseconds. */
const abandonedAfter = 60 * 60 * 1000;
let sweeping: Promise<void> | undefined;
/** Makes the contexts that koa-body reads from; it serves nothing. */
const contexts = new Koa();

/** The parts of a multipart body. */
export interface MultipartBody {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly UploadedFile[];
  /** Removes the files that nobody has moved away. */
  remove(): Promise<void>;
}

/** The fields of formidable's files that are used here. */
interface ParsedFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly mimetype: string | null;
  readonly size: number;
}

/**
 * Reads a multipart body: fields as texts, files in a folder of their own below the system's temporary one. The names that a
 * sender gives are texts and never paths.
 *
 * @throws TrellisError 400 `BODY_CUT`, 413 `BODY_TOO_LARGE`, 415 `BODY_NOT_MULTIPART`; the error of the system where the disk is full.
 */
export async function readMultipartBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<MultipartBody> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw httpErrors.create('BODY_NOT_MULTIPART');
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes)
    throw httpErrors.create('BODY_TOO_LARGE', { limit: limits.bytes });
  // Loaded with the first upload: most servers start and run without one.
  const { koaBody } = await import('koa-body');
  // What could not be looked at now is looked at with the next upload.
  sweeping ??= sweepFolders().catch(() => {
    sweeping = undefined;
  });
  const context = contexts.createContext(request, response);
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  const remove = () => removeFolder(folder);
  const release = cutSlow(request, limits);
  // In the order in which they began: files are told of when they are written, and a small one may overtake the one before it.
  const written: WriteStream[] = [];
  const parse = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: {
      uploadDir: folder,
      maxFiles: mostFiles,
      maxFields: mostFields,
      maxFieldsSize: mostFieldBytes,
      maxFileSize: limits.bytes,
      maxTotalFileSize: limits.bytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      fileWriteStreamHandler: (file) => {
        const stream = createWriteStream((file as unknown as ParsedFile).filepath);
        written.push(stream);
        return stream;
      },
    },
  });
  try {
    const parsed = parse(context, async () => undefined);
    // What parses listens a moment after it began, and would wait for ever where the sender went before that.
    await Promise.race([parsed, finished(request).then(() => parsed)]);
    // What parses takes no notice of a write that fails as the last one, and would give a file that is cut.
    await Promise.all(written.map((stream) => finished(stream)));
  } catch (error) {
    // The rest is read and dropped, so that a sender who has not finished still hears the answer.
    request.resume();
    await remove();
    throw toHttpError(error, limits.bytes);
  } finally {
    release();
  }
  const { body, files } = context.request as unknown as ParsedRequest;
  return { fields: fieldsOf(body), files: inOrder(filesOf(files), written), remove };
}

/** A file that is being opened at this moment may keep its folder for another try. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Removes what servers left behind that were killed in the middle of an upload. */
async function sweepFolders(): Promise<void> {
  const before = Date.now() - abandonedAfter;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), name);
    // Another server may have removed the folder already, or it may belong to another user.
    const isOld = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs < before,
      () => false,
    );
    if (isOld) await removeFolder(folder).catch(() => undefined);
  }
}

interface ParsedRequest {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, ParsedFile | readonly ParsedFile[]>>;
}

function toHttpError(error: unknown, limit: number): unknown {
  if (isFullDisk(error)) return error;
  const isTooLarge = (error as { readonly httpCode?: unknown }).httpCode === 413;
  return isTooLarge
    ? httpErrors.create('BODY_TOO_LARGE', { limit }, error)
    : httpErrors.create('BODY_CUT', {}, error);
}

function fieldsOf(body: ParsedRequest['body']): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null) as object, body);
}

function inOrder(files: readonly UploadedFile[], written: readonly WriteStream[]): readonly UploadedFile[] {
  const begun = written.map(({ path }) => path);
  return files.toSorted((one, other) => begun.indexOf(one.path) - begun.indexOf(other.path));
}

function filesOf(files: ParsedRequest['files']): readonly UploadedFile[] {
  return Object.entries(files ?? {}).flatMap(([field, found]) =>
    (Array.isArray(found) ? (found as readonly ParsedFile[]) : [found as ParsedFile]).map((file) => ({
      field,
      name: file.originalFilename ?? '',
      type: file.mimetype ?? 'application/octet-stream',
      size: file.size,
      path: file.filepath,
    })),
  );
}
