import { writeFile } from 'node:fs/promises';
import { createKeys, fingerprintOf } from '../archive/signing.ts';
import { type Command, namedFolder, readArguments, say } from './command.ts';

export const keygenCommand: Command = {
  takes: '[file]',
  does: 'makes a key for signing (trellis-plugin.key), which stays with you, and says its public half',
  async run(args) {
    const { named } = readArguments(args);
    const file = namedFolder(named[0] ?? 'trellis-plugin.key');
    const { privateKey, publicKey } = createKeys();
    // A key that is there may have signed what others trust.
    await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
      throw new Error(`${file} cannot be written, or is there already; name another file.`, { cause: error });
    });
    say(`Wrote ${file}. Keep it to yourself, and out of the repository.`);
    say(`Public key:  ${publicKey}`);
    say(`Fingerprint: ${fingerprintOf(publicKey)}`);
    return 0;
  },
};
