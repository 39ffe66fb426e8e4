/**
 * The format of a plugin's archive, for those that pack and those that install one.
 *
 * `<id>-<version>.tgz` is a gzipped tar whose entries are plain files at the root: `plugin.json`, `dist/**`, `README.md`,
 * `LICENSE`, `messages/**`, and {@link checksumsPath}, which lists every other file but {@link signaturePath}. The same source
 * gives the same bytes each time: entries are sorted by path and contain nothing about the machine, the person and the time of
 * packing.
 */

/** Maximum contents of an archive. Bytes are those of all unpacked files together; a path is counted in UTF-8 bytes. @public */
export const archiveLimits = { bytes: 20 * 1024 * 1024, files: 2_000, pathBytes: 200 } as const;

/** The manifest of the packed plugin. @public */
export const manifestPath = 'plugin.json';

/** Lists the digest of every other file but the signature. @public */
export const checksumsPath = 'checksums.json';

/** Signs the exact bytes of the checksums; an archive without it is unsigned. @public */
export const signaturePath = 'signature.json';

/** The contents of `checksums.json`: SHA-256 in hexadecimal by path, paths sorted. @public */
export interface ArchiveChecksums {
  readonly algorithm: 'sha256';
  readonly files: Readonly<Record<string, string>>;
}

/** The contents of `signature.json`: the key's 32 raw bytes and the signature's 64, both in base64. @public */
export interface ArchiveSignature {
  readonly algorithm: 'ed25519';
  readonly publicKey: string;
  readonly signature: string;
}

/** The name of an archive's file. @public */
export function archiveName({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}-${version}.tgz`;
}

/** The most bytes of the files that are read as JSON: a little of it, well packed, may hold millions of values. */
export const jsonLimits: ReadonlyMap<string, number> = new Map([
  [manifestPath, 256 * 1024],
  // A line for each file.
  [checksumsPath, archiveLimits.files * (archiveLimits.pathBytes + 100)],
  [signaturePath, 4 * 1024],
]);

/** What a file system would refuse or read as something else: a drive, a stream, a wildcard. */
const refusedCharacters = '\\:*?"<>|';

/** Control characters, and characters that change how the text around them is displayed: a name must be what people see. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Windows device names, with any extension. */
const devices = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)/i;

/**
 * Whether a file of an archive may have this name: a relative path of plain names between slashes, which means the same file on
 * every system and none outside the target folder.
 *
 * @public
 */
export function isArchivePath(path: string): boolean {
  const bytes = Buffer.from(path);
  // Half a surrogate pair has no UTF-8 bytes, so the archive would contain another name.
  if (bytes.length > archiveLimits.pathBytes || bytes.toString() !== path) return false;
  const isRefused = (character: string) => unseen.test(character) || refusedCharacters.includes(character);
  return (
    !Array.from(path).some(isRefused) &&
    path.split('/').every((name) => /^[^ ](.*[^. ])?$/.test(name) && name !== '.' && !devices.test(name))
  );
}

/** The order of an archive's entries and checksums: by UTF-16 units, independent of any language. @public */
export function comparePaths(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** A name in a safe form for a message: an archive's names may be long and contain anything. */
export function shown(path: string): string {
  return path.slice(0, 100).replace(/\p{C}/gu, '?');
}
