import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where something of the SDK is used as an author would use it, and what tests that. Paths begin at the root of the repository. */
export interface WorkedExample {
  /** The template of `create-trellis-plugin` that shows it, where one does. */
  readonly template?: string;
  readonly file?: string;
  readonly test?: string;
}

interface Source {
  readonly file: string;
  readonly text: string;
}

const isTest = (file: string) => /\.test\.tsx?$|\/outside-plugins\.ts$/.test(file);
const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.(test|stories|fixture)\.tsx?$/.test(file);

/** Finds examples in the templates, the plugins of the product and the suites. */
export class WorkedExamples {
  readonly #templates: readonly Source[];
  readonly #plugins: readonly Source[];
  readonly #tests: readonly Source[];
  /** Characters of the sources of each plugin. */
  readonly #sizes = new Map<string, number>();

  constructor(root: string) {
    this.#templates = sourcesIn(root, 'sdk/templates', isSource);
    this.#plugins = sourcesIn(root, 'plugins', isSource);
    this.#tests = ['plugins', 'host-server', 'host-web', 'core', 'sdk', 'tests'].flatMap((folder) =>
      sourcesIn(root, folder, isTest),
    );
    for (const { file, text } of this.#plugins)
      this.#sizes.set(partOf(file), (this.#sizes.get(partOf(file)) ?? 0) + text.length);
  }

  /** An example of what a pattern finds: in the smallest plugin that has it, since that is read the fastest. */
  of(pattern: RegExp, word: string): WorkedExample {
    const isFound = ({ text }: Source) => pattern.test(text);
    const template = this.#templates.find(isFound);
    const [smallest] = this.#plugins
      .filter(isFound)
      .toSorted((a, b) => this.#sizeOf(a) - this.#sizeOf(b) || (a.file < b.file ? -1 : 1));
    const test = this.#testOf(smallest ?? template, word);
    return {
      ...(template !== undefined && { template: partOf(template.file, 2) }),
      ...(smallest !== undefined && { file: smallest.file }),
      ...(test !== undefined && { test }),
    };
  }

  #sizeOf({ file }: Source): number {
    return this.#sizes.get(partOf(file)) ?? 0;
  }

  #testOfTemplate({ file }: Source): string | undefined {
    return this.#tests.find((test) => dirname(test.file) === dirname(file))?.file;
  }

  /** A test of the plugin, the nearest first; else one that names the plugin, or what it is an example of. */
  #testOf(example: Source | undefined, word: string): string | undefined {
    const named =
      (text: string) =>
      ({ text: of }: Source) =>
        of.includes(`'${text}'`);
    if (example === undefined) return this.#tests.find(named(word))?.file;
    if (example.file.startsWith('sdk/templates/')) return this.#testOfTemplate(example);
    const plugin = partOf(example.file);
    const own = this.#tests.filter(({ file }) => file.startsWith(`plugins/${plugin}/`));
    const beside = own.filter(({ file }) => dirname(file) === dirname(example.file));
    return (
      [...beside, ...own].find(named(word)) ??
      beside[0] ??
      own[0] ??
      this.#tests.find(named(plugin)) ??
      this.#tests.find(named(word))
    )?.file;
  }
}

/** The name of the plugin or the template that a file belongs to. */
function partOf(file: string, at = 1): string {
  return file.split('/')[at] ?? basename(file);
}

function sourcesIn(root: string, folder: string, wanted: (file: string) => boolean): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => wanted(file) && !file.includes('node_modules'))
    .filter((file) => statSync(join(root, file)).isFile())
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}
