import { buildPlugin } from '../build-plugin.ts';
import { type Command, namedFolder, readArguments, say } from './command.ts';

export const buildCommand: Command = {
  takes: '[folder]',
  does: 'builds both halves into dist/',
  async run(args) {
    const { named } = readArguments(args);
    const built = await buildPlugin(namedFolder(named[0]));
    say(`Built ${built.halves.join(' and ')} of '${built.id}' into ${built.folder}`);
    return 0;
  },
};
