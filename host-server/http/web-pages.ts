import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context } from 'koa';
import { isFramedPath } from './framed-pages.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Hashes of the inline scripts that the page's policy allows; the build writes them. */
export async function scriptHashes(folder: string): Promise<readonly string[]> {
  try {
    const { scriptHashes: hashes } = JSON.parse(await readFile(join(folder, 'csp.json'), 'utf8')) as {
      readonly scriptHashes: readonly string[];
    };
    return hashes;
  } catch (error) {
    // In development the page comes from elsewhere and nothing was built.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Serves one file below a folder; false when there is none. Links that lead out of the folder count as none. */
export async function sendFile(
  ctx: Context,
  folder: string,
  path: string,
  cacheControl: string,
): Promise<boolean> {
  const type = types[extname(path).toLowerCase()];
  if (type === undefined || path.includes('\0')) return false;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    if (!file.startsWith(root + sep)) return false;
    const sent = await asAccepted(ctx, file);
    const { size, mtimeMs } = await stat(sent);
    const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    ctx.set('cache-control', cacheControl);
    ctx.set('etag', etag);
    if (sent !== file) ctx.set('content-encoding', 'br');
    ctx.status = 200;
    if (ctx.get('if-none-match') === etag) {
      ctx.status = 304;
      return true;
    }
    ctx.set('content-type', type);
    ctx.length = size;
    if (ctx.method === 'HEAD') return true;
    ctx.body = createReadStream(sent);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'EISDIR') return false;
    throw error;
  }
}

/** The file, or the copy of it that the build compressed, where the client takes that encoding. */
async function asAccepted(ctx: Context, file: string): Promise<string> {
  const compressed = `${file}.br`;
  if (!(await isFile(compressed))) return file;
  ctx.vary('accept-encoding');
  return ctx.acceptsEncodings('br') === 'br' ? compressed : file;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** For files whose address changes with their content. */
export const immutableCache = 'public, max-age=31536000, immutable';

/** The web application: hashed assets for ever, the page itself never from a cache. */
export async function serveWeb(ctx: Context, folder: string): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.status = 404;
    return;
  }
  if (ctx.path === '/dashboard' || ctx.path === '/dashboard/') {
    ctx.redirect('/');
    return;
  }
  const isPage = ctx.path === '/' || isFramedPath(ctx.path);
  const path = isPage ? 'index.html' : decodedPath(ctx.path);
  const cacheControl = path?.startsWith('assets/') ? immutableCache : 'no-cache';
  if (path !== undefined && (await sendFile(ctx, folder, path, cacheControl))) return;
  ctx.status = 404;
  ctx.set('cache-control', 'no-store');
  ctx.type = 'text';
  ctx.body = 'This page could not be found';
}

/** The path of a file below a folder, or undefined for an address that cannot be decoded. */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path).replace(/^\/+/, '');
  } catch {
    // Not a path at all: a stray percent sign.
    return undefined;
  }
}
