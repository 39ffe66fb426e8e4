import { buildPlugin } from '../build-plugin.ts';
import { type Command, namedFolder, readArguments, say } from './command.ts';

export const buildCommand: Command = {
  takes: '[folder...]',
  does: 'builds both halves into dist/; of several plugins, one after another',
  async run(args) {
    const { named } = readArguments(args, [], [], { most: Number.POSITIVE_INFINITY });
    for (const name of named.length === 0 ? [undefined] : named) {
      const built = await buildPlugin(namedFolder(name));
      say(`Built ${built.halves.join(' and ')} of '${built.id}' into ${built.folder}`);
    }
    return 0;
  },
};
