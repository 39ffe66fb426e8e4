import { type Command, namedFolder } from './command.ts';
import { runJest } from './run-jest.ts';

export const testCommand: Command = {
  takes: '[what Jest takes]',
  does: 'runs *.test.ts and *.test.js under Node and *.test.tsx and *.test.jsx in a page, on the real server and in the real page',
  run: async (args) => (await runJest(namedFolder(undefined), { args, isShown: true })).status,
};
