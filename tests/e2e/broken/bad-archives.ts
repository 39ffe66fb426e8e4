import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack, type Headers } from 'tar-stream';

interface Header extends Partial<Headers> {
  readonly name: string;
  /** A second header that contradicts the first one. */
  readonly pax?: Readonly<Record<string, string>>;
}

type Entry = readonly [header: Header, content?: string | Buffer];

/** A malicious archive, with the checksums of its plain files. */
export interface BadArchive {
  readonly holds: string;
  readonly entries: readonly Entry[];
  readonly code: string;
  /** What else the answer names, such as the file. */
  readonly says?: RegExp;
}

const json = (more: object = {}) =>
  JSON.stringify({
    id: 'hostile',
    name: 'Hostile',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    ...more,
  });
const manifest: Entry = [{ name: 'plugin.json' }, json()];
const code: Entry = [{ name: 'dist/server/index.js' }, 'export default { setup() {} };'];

const refused = (holds: string, entry: Entry, code: string, says?: RegExp): BadArchive => ({
  holds,
  entries: [manifest, entry],
  code,
  ...(says && { says }),
});

export const badArchives: readonly BadArchive[] = [
  refused('a way out', [{ name: '../../evil.js' }, 'x'], 'ARCHIVE_PATH', /evil\.js/),
  refused('a way out in the middle', [{ name: 'dist/../../evil.js' }, 'x'], 'ARCHIVE_PATH', /evil\.js/),
  refused('a whole path', [{ name: '/etc/cron.d/evil' }, 'x'], 'ARCHIVE_PATH', /evil/),
  refused('a path of another system', [{ name: 'C:\\evil.js' }, 'x'], 'ARCHIVE_PATH', /evil/),
  refused('a name with a line break', [{ name: 'dist/a\nb.js' }, 'x'], 'ARCHIVE_PATH'),
  refused('a name with an escape sequence', [{ name: 'dist/\u001b[2Jx.js' }, 'x'], 'ARCHIVE_PATH'),
  refused('a name that turns its reading round', [{ name: 'dist/\u202esj.live' }, 'x'], 'ARCHIVE_PATH'),
  refused('a huge name', [{ name: `dist/${'a'.repeat(300)}` }, 'x'], 'ARCHIVE_PATH'),
  refused('a symbolic link', [{ name: 'dist', type: 'symlink', linkname: '/etc' }], 'ARCHIVE_KIND', /dist/),
  refused('a hard link', [{ name: 'dist/a', type: 'link', linkname: 'plugin.json' }], 'ARCHIVE_KIND'),
  refused('a device', [{ name: 'dist/a', type: 'character-device' }], 'ARCHIVE_KIND'),
  refused('a pipe', [{ name: 'dist/a', type: 'fifo' }], 'ARCHIVE_KIND'),
  refused('one file twice', manifest, 'ARCHIVE_TWICE'),
  refused('two files of one name on other systems', [{ name: 'PLUGIN.json' }, 'x'], 'ARCHIVE_TWINS'),
  refused('a bomb', [{ name: 'dist/a' }, Buffer.alloc(24 * 1024 * 1024)], 'ARCHIVE_TOO_LARGE'),
  refused('a file where a folder is', [{ name: 'plugin.json/x' }, 'x'], 'ARCHIVE_TWINS'),
  refused('a name of a device', [{ name: 'dist/aux.js' }, 'x'], 'ARCHIVE_PATH', /aux\.js/),
  refused('a name of a device as a folder', [{ name: 'CON/index.js' }, 'x'], 'ARCHIVE_PATH', /CON/),
  refused('a name that ends in a dot', [{ name: 'dist/a.' }, 'x'], 'ARCHIVE_PATH'),
  refused('a stream of another file', [{ name: 'dist/a.js:evil' }, 'x'], 'ARCHIVE_PATH'),
  refused(
    'a way out in a second header',
    [{ name: 'dist/fine.js', pax: { path: '../../evil.js' } }, 'x'],
    'ARCHIVE_PATH',
    /evil\.js/,
  ),
  {
    holds: 'two spellings of a folder',
    entries: [manifest, [{ name: 'dist/Web/a.js' }, 'x'], [{ name: 'dist/web/b.js' }, 'x']],
    code: 'ARCHIVE_TWINS',
  },
  {
    holds: 'a manifest without end',
    entries: [[{ name: 'plugin.json' }, '['.repeat(200_000)], code],
    code: 'ARCHIVE_JSON',
  },
  {
    holds: 'too many files',
    entries: [manifest, ...Array.from({ length: 2001 }, (_, at): Entry => [{ name: `dist/${at}` }, ''])],
    code: 'ARCHIVE_TOO_MANY_FILES',
  },
  {
    holds: 'a manifest of millions of values',
    entries: [[{ name: 'plugin.json' }, `{"id":"hostile","x":[${'{},'.repeat(5_000_000)}0]}`], code],
    code: 'ARCHIVE_JSON_TOO_LARGE',
    says: /plugin\.json/,
  },
  {
    holds: 'a name that turns its reading round in its manifest',
    entries: [[{ name: 'plugin.json' }, json({ name: 'Good\u202eevil' })], code],
    code: 'PLUGIN_MANIFEST_INVALID',
    says: /name/,
  },
  { holds: 'no manifest', entries: [code], code: 'ARCHIVE_NO_MANIFEST' },
  { holds: 'half a manifest', entries: [[{ name: 'plugin.json' }, '{"id":'], code], code: 'ARCHIVE_JSON' },
  {
    holds: 'a manifest that climbs',
    entries: [[{ name: 'plugin.json' }, json({ id: '../../evil' })], code],
    code: 'PLUGIN_MANIFEST_INVALID',
    says: /id/,
  },
  {
    holds: 'a version that climbs',
    entries: [[{ name: 'plugin.json' }, json({ version: '../1.0.0' })], code],
    code: 'PLUGIN_MANIFEST_INVALID',
    says: /version/,
  },
  {
    holds: 'a plugin of the product',
    entries: [[{ name: 'plugin.json' }, json({ id: 'sys-users' })], code],
    code: 'PLUGIN_IS_BUILT_IN',
  },
  { holds: 'nothing to run', entries: [manifest], code: 'PLUGIN_NOTHING_TO_RUN' },
];

/** The bytes of an archive that no packer writes. */
export async function toArchive({ entries }: BadArchive): Promise<Buffer> {
  const tar = pack();
  const digests: Record<string, string> = {};
  for (const [header, content = ''] of entries) {
    tar.entry(header, Buffer.from(content));
    digests[header.name] = createHash('sha256').update(content).digest('hex');
  }
  tar.entry({ name: 'checksums.json' }, JSON.stringify({ algorithm: 'sha256', files: digests }));
  tar.finalize();
  return gzipSync(await buffer(tar));
}
