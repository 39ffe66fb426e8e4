import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { parseJson, parseManifest } from '@trellis/core';
import { checksumsPath, manifestPath, signaturePath } from '../archive/format.ts';
import { type ReadArchive, readArchive } from '../archive/read-archive.ts';
import { createKeys, signWith } from '../archive/signing.ts';
import { keyFingerprint } from '../archive/verify-signature.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { type Command, messageOf, namedFolder, readArguments, say, UsageError } from './command.ts';
import { saySigner } from './say-signer.ts';

export const keygenCommand: Command = {
  takes: '[file]',
  does: 'makes a key for signing (trellis-plugin.key), which stays with you, and says its public half',
  async run(args) {
    const { named } = readArguments(args);
    const file = namedFolder(named[0] ?? 'trellis-plugin.key');
    const { privateKey, publicKey } = createKeys();
    await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EEXIST'
          ? `is there already, and a key is never overwritten, because others may trust what it signed`
          : `cannot be written (${error.message})`;
      throw new Error(`${file} ${reason}; name another file: "trellis-plugin keygen <file>".`, {
        cause: error,
      });
    });
    say(`Wrote ${file}. Keep it to yourself, and out of the repository.`);
    say(`Public key:  ${publicKey}`);
    say(`Fingerprint: ${keyFingerprint(publicKey)}`);
    say(
      'Publish both: who installs compares the fingerprint, or names the key in the settings of the App store.',
    );
    return 0;
  },
};

export const signCommand: Command = {
  takes: '<archive> --key <file>',
  does: 'signs an archive in its place, or signs it anew',
  async run(args) {
    const { named, values } = readArguments(args, ['key']);
    const file = archiveOf(named);
    if (values.key === undefined)
      throw new UsageError('Signing needs a key; "trellis-plugin keygen" makes one.');
    const sign = await signWith(namedFolder(values.key));
    const { files } = await open(file);
    const own = [...files].filter(([path]) => path !== checksumsPath && path !== signaturePath);
    await writeFile(file, await writeArchive(new Map(own), sign));
    say(`Signed ${file}`);
    saySigner((await open(file)).signer);
    return 0;
  },
};

export const verifyCommand: Command = {
  takes: '<archive> [--signer <public key>]',
  does: 'reads an archive as the app store does, and tells what it is and who signed it',
  async run(args) {
    const { named, values } = readArguments(args, ['signer']);
    const { files, bytes, sha256, signer } = await open(archiveOf(named));
    const text = files.get(manifestPath)?.toString() ?? '';
    const { id, version } = parseManifest(parseJson(text, manifestPath), manifestPath);
    say(`${id} ${version}: ${files.size} files, ${bytes} bytes`);
    say(`SHA-256:   ${sha256}`);
    saySigner(signer);
    if (values.signer === undefined || values.signer === signer) return 0;
    throw new Error(`It was not signed by ${values.signer}.`);
  },
};

function archiveOf(named: readonly string[]): string {
  const [file] = named;
  if (file === undefined) throw new UsageError('Which archive?');
  return namedFolder(file);
}

/** @throws Error that names the file, if it is no archive or one that would be refused */
async function open(file: string): Promise<ReadArchive> {
  const found = await stat(file).catch(() => undefined);
  const wayOut = '"trellis-plugin pack" writes archives.';
  if (found === undefined) throw new Error(`There is no ${file}; ${wayOut}`);
  if (found.isDirectory()) throw new Error(`${file} is a folder, and no archive; ${wayOut}`);
  return readArchive(createReadStream(file)).catch((error: unknown) => {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  });
}
