import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { sharedOutside } from './outside-folder.ts';

const book = readFileSync(resolve(import.meta.dirname, '../../sdk/README.md'), 'utf8');

/** A block of a chapter: lines to type, or a file to write, whose path is its first line. */
interface Step {
  readonly language: string;
  readonly text: string;
}

function stepsOf(chapter: string): readonly Step[] {
  const [, body = ''] = book.split(`## ${chapter}\n`);
  const [own = ''] = body.split('\n## ');
  return [...own.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
}

/** A reader of the book who follows it. */
export class Reader {
  readonly #home: string;
  readonly #registry: string;
  readonly #node: string;

  /**
   * @param home a home folder without the current user's npm settings and cache
   * @param registry where npm finds packages
   * @param node the program that runs npm and everything it starts
   */
  constructor(home: string, registry: string, node = process.execPath) {
    this.#home = home;
    this.#registry = registry;
    this.#node = node;
  }

  /** Runs lines as a person types them, until one fails. @returns their output; its last line is the final folder */
  async type(lines: string, folder: string): Promise<string> {
    const shell = spawn('sh', ['-e', '-c', `${lines}\npwd`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${dirname(this.#node)}:${process.env['PATH']}`,
        HOME: this.#home,
        ...sharedOutside(),
        npm_config_registry: this.#registry,
        // The SQLite driver is already compiled in the package.
        npm_config_ignore_scripts: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
      },
    });
    const ended = new Promise<number | null>((done) => void shell.on('close', done));
    const [output, problems, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
    if (status !== 0) throw new Error(`${lines}ended with ${status} and said:\n${output}${problems}`);
    return problems + output;
  }

  /** Types and writes what a chapter says, in a folder. @returns the final folder */
  async follow(chapter: string, start: string): Promise<string> {
    let folder = start;
    for (const { language, text: block } of stepsOf(chapter)) {
      if (language === 'sh') folder = (await this.type(block, folder)).trimEnd().split('\n').at(-1) ?? folder;
      else this.#write(block, folder);
    }
    return folder;
  }

  #write(block: string, folder: string): void {
    const [, path = ''] = /^\/\/ (\S+)\n/.exec(block) ?? [];
    if (path === '' || !existsSync(join(folder, path)))
      throw new Error(`The template has no '${path}', for which its reader would have to look.`);
    writeFileSync(join(folder, path), block);
  }
}
