import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { extract, type Headers } from 'tar-stream';
import { archiveLimits, archiveName, isArchivePath } from './format.ts';
import { type ArchiveFiles, writeArchive } from './write-archive.ts';

const files: ArchiveFiles = new Map([
  ['plugin.json', Buffer.from('{}')],
  ['dist/web/index.js', Buffer.from('export default {};')],
  ['README.md', Buffer.from('# Mood')],
]);

async function unpack(archive: Buffer): Promise<readonly { header: Headers; text: string }[]> {
  const reader = extract();
  reader.end(gunzipSync(archive));
  const entries: { header: Headers; text: string }[] = [];
  for await (const entry of reader) {
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(part as Buffer);
    entries.push({ header: entry.header, text: Buffer.concat(parts).toString() });
  }
  return entries;
}

describe('the archive of a plugin', () => {
  test('holds the files and their checksums, sorted, and nothing of who packed them', async () => {
    const entries = await unpack(await writeArchive(files));
    expect(entries.map(({ header }) => header.name)).toEqual([
      'README.md',
      'checksums.json',
      'dist/web/index.js',
      'plugin.json',
    ]);
    for (const { header } of entries) {
      expect(header).toMatchObject({ type: 'file', mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) });
      expect([header.uname, header.gname]).toEqual(['', '']);
    }
    expect(JSON.parse(entries[1]?.text ?? '')).toEqual({
      algorithm: 'sha256',
      files: Object.fromEntries(
        [...files].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]),
      ),
    });
  });

  test('is the same bytes for the same files, in whatever order they were found', async () => {
    const archive = await writeArchive(files);
    expect(await writeArchive(new Map([...files].reverse()))).toEqual(archive);
    // Gzip's header: no flags, so no name; no time; no operating system.
    expect([...archive.subarray(3, 8), archive[9]]).toEqual([0, 0, 0, 0, 0, 255]);
  });

  test('carries the signature of its checksums, which do not list it', async () => {
    const signed: string[] = [];
    const signature = { algorithm: 'ed25519', publicKey: 'key', signature: 'seal' } as const;
    const archive = await writeArchive(files, (checksums) => {
      signed.push(Buffer.from(checksums).toString());
      return signature;
    });
    const texts = new Map((await unpack(archive)).map(({ header, text }) => [header.name, text]));
    expect(signed).toEqual([texts.get('checksums.json')]);
    expect(signed[0]).not.toContain('signature.json');
    expect(JSON.parse(texts.get('signature.json') ?? '')).toEqual(signature);
  });

  test('takes no more than an installation takes', async () => {
    const many = new Map(Array.from({ length: archiveLimits.files }, (_, at) => [`dist/${at}`, Buffer.of()]));
    await expect(writeArchive(many)).rejects.toThrow('at most 2000');
    const heavy = new Map([['dist/a', Buffer.alloc(archiveLimits.bytes)]]);
    await expect(writeArchive(heavy)).rejects.toThrow('at most 20971520');
    await expect(writeArchive(new Map([['../a', Buffer.of()]]))).rejects.toThrow("'../a' cannot be packed");
  });

  test('is called by the plugin and its version', () => {
    expect(archiveName({ id: 'column-mood', version: '1.2.0' })).toBe('column-mood-1.2.0.tgz');
  });

  test.each(['plugin.json', 'dist/console.js', 'dist/web/ä b.js', 'dist/.map', 'a'.repeat(200)])(
    'a file may be %s',
    (path) => {
      expect(isArchivePath(path)).toBe(true);
    },
  );

  test.each([
    '',
    '.',
    '..',
    '../a',
    'a/../b',
    './a',
    '/a',
    'a/',
    'a//b',
    'a\\b',
    'C:a',
    'a\0b',
    'a\nb',
    'a\u007f\ud800',
    'a.',
    'a ',
    ' a',
    'a'.repeat(201),
    'ä'.repeat(101),
    'dist/NUL',
    'dist/com1.js',
    'aux/a.js',
  ])('a file may not be %j', (path) => {
    expect(isArchivePath(path)).toBe(false);
  });
});
