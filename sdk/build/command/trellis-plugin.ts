#!/usr/bin/env node
/** `trellis-plugin <command>`: the commands of plugin authors for a plugin's folder. */
import { meantInstead } from '@trellis/core';
import { buildCommand } from './build-command.ts';
import { checkCommand } from './check-command.ts';
import { asksForHelp, type Command, endWithReader, tell, UsageError } from './command.ts';
import { devCommand } from './dev-command.ts';
import { packCommand } from './pack-command.ts';
import { reportCommand } from './report-command.ts';
import { keygenCommand, signCommand, verifyCommand } from './sign-commands.ts';
import { testCommand } from './test-command.ts';

// Vite builds for the value of NODE_ENV; plugins are always built for production.
process.env['NODE_ENV'] = 'production';

const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  test: testCommand,
  build: buildCommand,
  dev: devCommand,
  pack: packCommand,
  keygen: keygenCommand,
  sign: signCommand,
  verify: verifyCommand,
  report: reportCommand,
};

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { takes, does }]) => `  ${name} ${takes}\n      ${does}`,
  );
  return `trellis-plugin <command>\n\n${lines.join('\n')}\n`;
}

async function run([name = 'help', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const isAsked = name === 'help' || asksForHelp(name);
    (isAsked ? process.stdout : process.stderr).write(
      isAsked
        ? usage()
        : `There is no command '${name}'${meantInstead(name, Object.keys(commands))}\n\n${usage()}`,
    );
    return isAsked ? 0 : 2;
  }
  if (args.some(asksForHelp)) {
    process.stdout.write(`trellis-plugin ${name} ${command.takes}\n    ${command.does}\n`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    tell(error);
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(`trellis-plugin ${name} ${command.takes}\n`);
    return 2;
  }
}

endWithReader();
process.exitCode = await run(process.argv.slice(2));
