import { createReadStream } from 'node:fs';
import { basename } from 'node:path/posix';
import { defineRoute, type Outbound, type OutboundStream, type RouteDefinition } from '@trellis/sdk/server';
import type { JsonSchema, AttachedFile } from '@trellis/sdk/shared';
import { fileErrors } from './file-errors.ts';
import { bodyLimitOf, type Uploads, type UploadTarget } from './uploads.ts';

type UploadQuery = { readonly path: string };

/** One file to fetch; its type and size are determined from the content. */
interface SourceInput {
  readonly url: string;
  readonly fileName?: string;
}

const query: JsonSchema = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string', minLength: 1, maxLength: 1000 } },
};

const sources: JsonSchema = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 2000 },
      fileName: { type: 'string', maxLength: 1000 },
    },
  },
};

/** Seconds for the handler of an upload, which copies the received bytes. */
const seconds = 600;
/** Milliseconds for another server to send a file. */
const sourceMs = 120_000;

/** Upload files, and have files fetched from addresses. */
export function uploadRoutes(
  uploads: Uploads,
  { outbound, limit }: { readonly outbound: Outbound; readonly limit: () => number },
): readonly RouteDefinition[] {
  async function fetched(
    { url, fileName }: SourceInput,
    target: UploadTarget,
    signal: AbortSignal,
  ): Promise<AttachedFile> {
    const call = { purpose: 'upload by address', timeoutMs: sourceMs, limit: limit(), redirects: 3, signal };
    const answer = await outbound.open(url, call);
    if (answer.status < 200 || answer.status > 299) {
      answer.stream.destroy();
      throw fileErrors.create('SOURCE_REFUSED', { host: new URL(url).hostname, status: answer.status });
    }
    const name = fileName === undefined || fileName.trim() === '' ? nameOf(answer) : fileName;
    return uploads.keep({ name, content: answer.stream }, target, signal);
  }

  return [
    defineRoute<Record<string, string>, UploadQuery>({
      method: 'POST',
      path: '/api/v1/db/storage/upload',
      permission: 'signedIn',
      summary: 'Upload files',
      bodyKind: 'multipart',
      // The current setting when a body arrives.
      get bodyLimit() {
        return bodyLimitOf(limit());
      },
      seconds,
      schemas: { query },
      willReadBody: async (request) => void (await uploads.target(request.query.path, 'upload', request)),
      async handle(request) {
        const { files = [], signal } = request;
        if (files.length === 0) throw fileErrors.create('NO_FILES');
        const target = await uploads.target(request.query.path, 'upload', request);
        const kept: AttachedFile[] = [];
        for (const { name, path } of files)
          kept.push(await uploads.keep({ name, content: createReadStream(path) }, target, signal));
        return kept;
      },
    }),
    defineRoute<Record<string, string>, UploadQuery, readonly SourceInput[]>({
      method: 'POST',
      path: '/api/v1/db/storage/upload-by-url',
      permission: 'signedIn',
      summary: 'Have files fetched from addresses',
      seconds,
      schemas: { query, body: sources },
      async handle(request) {
        const { signal } = request;
        const target = await uploads.target(request.query.path, 'uploadViaURL', request);
        const kept: AttachedFile[] = [];
        for (const source of request.body) kept.push(await fetched(source, target, signal));
        return kept;
      },
    }),
  ];
}

/** The file name in an address. */
function nameOf({ url }: OutboundStream): string {
  const name = basename(new URL(url).pathname);
  try {
    return decodeURIComponent(name);
  } catch {
    // A literal percent sign.
    return name;
  }
}
