import {
  defineRoute,
  readHeld,
  RouteAnswer,
  type FileGrant,
  type Files,
  type RouteDefinition,
  type RouteRequest,
} from '@trellis/sdk/server';
import { TrellisError, type RegistryView } from '@trellis/sdk/shared';
import { isPreviewSize, kindOf, megabyte, unknownType, type PreviewSize } from '../shared/index.ts';
import { askedPart } from './byte-range.ts';
import type { FileRecord, FileStore } from './file-store.ts';
import { grantedFile, isGranted } from './granted-files.ts';
import type { Previews } from './previews.ts';

/** Types that a browser may open in a tab: nothing in them runs with this site's origin. */
const opened = /^(?:image\/(?:avif|bmp|gif|jpeg|png|webp|x-icon)|application\/pdf)$/;

const fixedCache = 'private, max-age=31536000, immutable';
/** For addresses that expire, which are requested again soon. */
const grantedCache = 'private, max-age=60';

interface DownloadServices {
  readonly files: Files;
  readonly store: FileStore;
  readonly previews: Previews;
  readonly grants: RegistryView<FileGrant>;
}

/** A larger picture is not read in place of a missing small one. */
const largestInPlace = 8 * megabyte;

/**
 * Serves files to anyone with their address, as the v1 API does: an address contains 128 random bits, and sharing it shares the
 * file. A file never changes under its address, so browsers cache it.
 */
export function downloadRoute({ files, store, previews, grants }: DownloadServices): RouteDefinition {
  async function find(path: string): Promise<FileRecord | undefined> {
    if (isGranted(path)) {
      const held = await grantedFile(path, grants);
      const file = held && (await store.byIds([held.id])).get(held.id);
      return file?.projectId === held?.projectId ? file : undefined;
    }
    const [, id = ''] = /(?:^|\/)([A-Za-z0-9_-]{22})(?:\.[a-z0-9]{1,10})?$/.exec(path) ?? [];
    return id === '' ? undefined : (await store.byIds([id])).get(id);
  }

  async function send(
    file: FileRecord,
    { headers, signal, method }: RouteRequest,
    cache: string,
  ): Promise<RouteAnswer> {
    const etag = cache === fixedCache ? `"${file.id}"` : undefined;
    const fixed = fixedHeaders(file, etag, cache);
    if (etag !== undefined && headers['if-none-match'] === etag)
      return new RouteAnswer({ status: 304, headers: fixed, body: '' });
    const isStale = headers['if-range'] !== undefined && headers['if-range'] !== etag;
    const asked = askedPart(isStale || method === 'HEAD' ? undefined : headers.range, file.size);
    if (asked.kind === 'none')
      return new RouteAnswer({
        status: 416,
        headers: { ...fixed, 'content-range': `bytes */${file.size}` },
        body: '',
      });
    if (asked.kind === 'whole') {
      const body = await files.read(file.ref, { signal });
      return new RouteAnswer({ headers: { ...fixed, 'content-length': String(file.size) }, body });
    }
    const { part } = asked;
    return new RouteAnswer({
      status: 206,
      headers: {
        ...fixed,
        'content-length': String(part.end - part.start + 1),
        'content-range': `bytes ${part.start}-${part.end}/${file.size}`,
      },
      body: await files.read(file.ref, { signal, part }),
    });
  }

  /** A small picture under the address of its file, which reveals nothing more; if there is none, a redirect to the file. */
  async function sendSmall(
    file: FileRecord,
    size: PreviewSize,
    { headers, signal, params }: RouteRequest<Record<string, string>>,
    cache: string,
  ): Promise<RouteAnswer> {
    const small = await previews.of(file, size);
    const etag = cache === fixedCache ? `"${file.id}-${size}"` : undefined;
    const fixed = fixedHeaders({ name: `${file.name}.webp`, type: 'image/webp' }, etag, cache);
    if (small !== undefined && etag !== undefined && headers['if-none-match'] === etag)
      return new RouteAnswer({ status: 304, headers: fixed, body: '' });
    const body = small && (await readIfThere(small.ref, signal));
    if (small !== undefined && body !== undefined)
      return new RouteAnswer({ headers: { ...fixed, 'content-length': String(small.bytes) }, body });
    if (file.size > largestInPlace) return notFound();
    // The last part of the path leads to the same path without a query.
    const location = (params['*'] ?? '').replace(/^.*\//, '');
    return new RouteAnswer({ status: 302, headers: { location, 'cache-control': grantedCache }, body: '' });
  }

  async function readIfThere(ref: string, signal: AbortSignal) {
    try {
      return await files.read(ref, { signal });
    } catch (error) {
      if (error instanceof TrellisError) return undefined;
      throw error;
    }
  }

  return defineRoute<Record<string, string>, { readonly preview?: string }>({
    method: 'GET',
    path: '/download/*',
    permission: 'public',
    summary: 'Read a file by its address; with `preview` a small picture of it, `small` or `cover`',
    async handle(request) {
      const path = request.params['*'] ?? '';
      const cache = isGranted(path) ? grantedCache : fixedCache;
      const { preview } = request.query;
      const answer = await readHeld(
        () => find(path),
        (file) =>
          isPreviewSize(preview) ? sendSmall(file, preview, request, cache) : send(file, request, cache),
      );
      return answer ?? notFound();
    },
  });
}

function notFound(): RouteAnswer {
  return new RouteAnswer({
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from('Not found'),
  });
}

function fixedHeaders(
  { name, type }: Pick<FileRecord, 'name' | 'type'>,
  etag: string | undefined,
  cache: string,
): Readonly<Record<string, string>> {
  const isPdf = type === 'application/pdf';
  return {
    'content-type': servedType(type),
    'content-disposition': disposition(opened.test(type) ? 'inline' : 'attachment', name),
    // A PDF viewer does not start in a sandbox; it runs nothing of the file with this site's origin.
    'content-security-policy': `${isPdf ? '' : 'sandbox; '}default-src 'none'; frame-ancestors ${isPdf ? "'self'" : "'none'"}`,
    'cache-control': cache,
    'accept-ranges': 'bytes',
    // The ETag of a granted file would reveal its id.
    ...(etag !== undefined && { etag }),
  };
}

/** Never a type that a page could load as a script or style sheet, whatever the file is. */
function servedType(type: string): string {
  const kind = kindOf(type);
  if (kind === 'text') return 'text/plain; charset=utf-8';
  return kind === 'other' ? unknownType : type;
}

/** RFC 6266: the name in ASCII for old clients, and in full for the others. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\u0020-\u007e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
