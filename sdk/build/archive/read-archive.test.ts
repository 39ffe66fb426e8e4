import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { pack, type Headers } from 'tar-stream';
import { archiveLimits, type ArchiveSignature } from './format.ts';
import { parseArchiveJson } from './parse-archive-json.ts';
import { readArchive, type ReadArchiveOptions } from './read-archive.ts';
import { keyFingerprint } from './verify-signature.ts';
import { writeArchive } from './write-archive.ts';

const files = new Map([
  ['plugin.json', Buffer.from('{"id":"mood"}')],
  ['dist/web/index.js', Buffer.from('export default {};')],
]);

const read = (archive: Buffer, options?: ReadArchiveOptions) =>
  readArchive(Readable.from([archive]), options);
const refusal = (archive: Buffer, options?: ReadArchiveOptions) =>
  read(archive, options).then(
    () => 'taken',
    (error: { code?: string }) => error.code,
  );

type RawEntry = readonly [
  header: Partial<Headers> & { readonly name: string; readonly pax?: Readonly<Record<string, string>> },
  content?: string | Buffer,
];

/** An archive that nobody would pack, checksums of its plain files included. */
async function raw(entries: readonly RawEntry[], checksums?: object): Promise<Buffer> {
  const tar = pack();
  for (const [header, content = ''] of entries) tar.entry(header, Buffer.from(content));
  const digests = entries.map(([{ name }, content = '']) => [
    name,
    createHash('sha256').update(content).digest('hex'),
  ]);
  const text = JSON.stringify(checksums ?? { algorithm: 'sha256', files: Object.fromEntries(digests) });
  tar.entry({ name: 'checksums.json' }, text);
  tar.finalize();
  return gzipSync(await buffer(tar));
}

const manifest: RawEntry = [{ name: 'plugin.json' }, '{}'];

describe('the archive of a plugin is read', () => {
  test('with its files, its weight and its own digest', async () => {
    const archive = await writeArchive(files);
    const got = await read(archive);
    expect([...got.files.keys()]).toEqual(['checksums.json', 'dist/web/index.js', 'plugin.json']);
    expect(got.files.get('dist/web/index.js')?.toString()).toBe('export default {};');
    expect(got.sha256).toBe(createHash('sha256').update(archive).digest('hex'));
    expect(got.bytes).toBe([...got.files.values()].reduce((sum, { length }) => sum + length, 0));
    expect(got.signer).toBeUndefined();
  });

  test('with the key that signed it, and refused when the signature is of something else', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
    const signed = (bytes: Uint8Array): ArchiveSignature => ({
      algorithm: 'ed25519',
      publicKey: key,
      signature: sign(null, bytes, privateKey).toString('base64'),
    });
    expect((await read(await writeArchive(files, signed))).signer).toBe(key);
    expect(keyFingerprint(key)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
    const wrong = [
      await writeArchive(files, () => signed(Buffer.from('other'))),
      await writeArchive(files, (bytes) => ({ ...signed(bytes), publicKey: 'AAAA' })),
      await writeArchive(files, (bytes) => ({
        ...signed(bytes),
        publicKey: Buffer.alloc(32).toString('base64'),
      })),
      await writeArchive(files, (bytes) => ({ ...signed(bytes), algorithm: 'none' as 'ed25519' })),
    ];
    for (const archive of wrong) expect(await refusal(archive)).toBe('ARCHIVE_SIGNATURE');
  });
});

describe('what is refused, each with a code of its own', () => {
  test.each<readonly [code: string, entries: readonly RawEntry[]]>([
    ['ARCHIVE_PATH', [manifest, [{ name: '../evil.js' }, 'x']]],
    ['ARCHIVE_PATH', [manifest, [{ name: '/etc/evil' }, 'x']]],
    ['ARCHIVE_PATH', [manifest, [{ name: 'a\\..\\b' }, 'x']]],
    ['ARCHIVE_PATH', [manifest, [{ name: 'a'.repeat(201) }, 'x']]],
    ['ARCHIVE_KIND', [manifest, [{ name: 'dist', type: 'symlink', linkname: '/etc' }]]],
    ['ARCHIVE_KIND', [manifest, [{ name: 'dist', type: 'link', linkname: 'plugin.json' }]]],
    ['ARCHIVE_KIND', [manifest, [{ name: 'dist', type: 'character-device' }]]],
    ['ARCHIVE_KIND', [manifest, [{ name: 'dist', type: 'fifo' }]]],
    ['ARCHIVE_KIND', [manifest, [{ name: 'dist', type: 'directory' }]]],
    ['ARCHIVE_TWICE', [manifest, manifest]],
    ['ARCHIVE_TWINS', [manifest, [{ name: 'Plugin.JSON' }, 'x']]],
    ['ARCHIVE_TWINS', [manifest, [{ name: 'dist/\u00e4' }, 'x'], [{ name: 'dist/a\u0308' }, 'x']]],
    ['ARCHIVE_TWINS', [manifest, [{ name: 'dist/\u017fa' }, 'x'], [{ name: 'dist/sa' }, 'x']]],
    ['ARCHIVE_TWINS', [manifest, [{ name: 'dist' }, 'x'], [{ name: 'dist/a' }, 'x']]],
    ['ARCHIVE_NO_MANIFEST', [[{ name: 'package/plugin.json' }, '{}']]],
  ])('%s', async (code, entries) => {
    expect(await refusal(await raw(entries))).toBe(code);
  });

  test('checksums that are missing, are none, or say something else than the files', async () => {
    const other: RawEntry = [{ name: 'other.js' }, 'x'];
    const digest = createHash('sha256').update('{}').digest('hex');
    const list = (of: object) => ({ algorithm: 'sha256', files: of });
    expect(await refusal(await raw([manifest], list({})))).toBe('ARCHIVE_FILE_EXTRA');
    expect(await refusal(await raw([manifest], list({ 'plugin.json': digest, gone: digest })))).toBe(
      'ARCHIVE_FILE_MISSING',
    );
    expect(
      await refusal(await raw([manifest, other], list({ 'plugin.json': digest, 'other.js': digest }))),
    ).toBe('ARCHIVE_FILE_CHANGED');
    for (const none of [{}, [], { algorithm: 'md5', files: {} }, { algorithm: 'sha256', files: 7 }])
      expect(await refusal(await raw([manifest], none))).toBe('ARCHIVE_JSON');
    const bare = pack();
    bare.entry({ name: 'plugin.json' }, '{}');
    bare.finalize();
    expect(await refusal(gzipSync(await buffer(bare)))).toBe('ARCHIVE_NO_CHECKSUMS');
  });

  test('what is no archive, ends too early or has too much in it', async () => {
    const whole = await writeArchive(files);
    expect(await refusal(Buffer.from('{"no": "archive"}'))).toBe('ARCHIVE_NOT_GZIP');
    expect(await refusal(Buffer.of())).toBe('ARCHIVE_NOT_GZIP');
    expect(await refusal(whole.subarray(0, -20))).toBe('ARCHIVE_NOT_GZIP');
    expect(await refusal(gzipSync(Buffer.alloc(4096, 'x')))).toBe('ARCHIVE_NOT_TAR');
    const many = Array.from({ length: archiveLimits.files }, (_, at): RawEntry => [
      { name: `dist/${at}` },
      'x',
    ]);
    expect(await refusal(await raw([manifest, ...many]))).toBe('ARCHIVE_TOO_MANY_FILES');
  });

  test.each(['-0000000001\0', 'zzzzzzzzzzz\0'])('a size in a header that is none: %j', async (size) => {
    const tar = pack();
    tar.entry({ name: 'plugin.json' }, '{}');
    tar.finalize();
    const bytes = await buffer(tar);
    bytes.write(size, 124, 'latin1');
    const sum = bytes
      .subarray(0, 512)
      .reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(await refusal(gzipSync(bytes), { seconds: 1 })).toBe('ARCHIVE_NOT_TAR');
  });

  test.each(['x', '-1', '9'.repeat(400)])('a size in an extended header that is none: %s', async (size) => {
    const archive = await raw([[{ name: 'plugin.json', pax: { size } }, '{}']]);
    expect(await refusal(archive, { seconds: 1 })).toBe('ARCHIVE_NOT_TAR');
  });

  test('a bomb is put out before it fills the memory, wherever it lies', async () => {
    const heavy = Buffer.alloc(archiveLimits.bytes, 'x');
    expect(await refusal(await raw([manifest, [{ name: 'dist/a' }, heavy]]))).toBe('ARCHIVE_TOO_LARGE');
    expect(await refusal(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toBe('ARCHIVE_TOO_LARGE');
    const before = await raw([manifest]);
    // A name that fills many blocks.
    const long = await raw([manifest, [{ name: 'dist/a', pax: { path: 'x'.repeat(30_000_000) } }, 'x']]);
    expect(before.length).toBeLessThan(long.length);
    expect(await refusal(long)).toBe('ARCHIVE_TOO_LARGE');
  });

  test('JSON of more values than any plugin needs is not read', async () => {
    const values = `{"id":"mood","x":[${'{},'.repeat(200_000)}0]}`;
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, '']));
    expect(await refusal(await raw([manifest], { algorithm: 'sha256', files: keys }))).toBe(
      'ARCHIVE_JSON_TOO_LARGE',
    );
    const archive = await read(await raw([[{ name: 'plugin.json' }, values]]));
    expect(() => parseArchiveJson('plugin.json', archive.files.get('plugin.json') ?? Buffer.of())).toThrow(
      expect.objectContaining({ code: 'ARCHIVE_JSON_TOO_LARGE' }),
    );
    const signature: RawEntry = [{ name: 'signature.json' }, `{"x":"${'x'.repeat(5000)}"}`];
    const digest = createHash('sha256').update('{}').digest('hex');
    const list = { algorithm: 'sha256', files: { 'plugin.json': digest } };
    expect(await refusal(await raw([manifest, signature], list))).toBe('ARCHIVE_JSON_TOO_LARGE');
  });

  test('one that comes too slowly, or that nobody waits for any more', async () => {
    const silent = new Readable({ read: () => undefined });
    await expect(readArchive(silent, { seconds: 0.01 })).rejects.toMatchObject({ code: 'ARCHIVE_TOO_SLOW' });
    const gone = new Error('the client went away');
    await expect(
      readArchive(new Readable({ read: () => undefined }), { signal: AbortSignal.abort(gone) }),
    ).rejects.toBe(gone);
  });
});
