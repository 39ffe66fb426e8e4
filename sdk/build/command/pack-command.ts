import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { archiveName } from '../archive/format.ts';
import { pluginFiles } from '../archive/plugin-files.ts';
import { readArchive } from '../archive/read-archive.ts';
import { signWith } from '../archive/signing.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { buildPlugin } from '../build-plugin.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { type Command, namedFolder, readArguments, say } from './command.ts';
import { saySigner } from './say-signer.ts';

export const packCommand: Command = {
  takes: '[folder] [--to <folder>] [--key <file>]',
  does: 'builds the plugin and writes <id>-<version>.tgz, which the app store installs; signed, where a key is given',
  async run(args) {
    const { values, named } = readArguments(args, ['to', 'key']);
    const folder = namedFolder(named[0]);
    const sign = values.key === undefined ? undefined : await signWith(namedFolder(values.key));
    await buildPlugin(folder);
    const manifest = await readManifest(folder);
    const files = await pluginFiles(folder, manifest);
    const archive = await writeArchive(files, sign);
    const to = values.to === undefined ? folder : namedFolder(values.to);
    await mkdir(to, { recursive: true });
    const file = join(to, archiveName(manifest));
    await writeFile(file, archive);
    say(
      `Packed ${files.size} files of '${manifest.id}' into ${file} (${Math.ceil(archive.length / 1024)} kB)`,
    );
    if (sign !== undefined) saySigner((await readArchive(Readable.from([archive]))).signer);
    say('It is built, and not checked: hand it on once "trellis-plugin check" finds nothing.');
    return 0;
  },
};
