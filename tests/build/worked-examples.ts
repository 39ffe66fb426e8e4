import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A use of a part of the SDK as an author would write it, and its test. Paths start at the repository's root. */
export interface WorkedExample {
  /** The template of `create-trellis-plugin` that shows it, if any. */
  readonly template?: string;
  readonly file?: string;
  readonly test?: string;
}

/** The repository's folders from which the package contains plugins as examples. */
const exampleFolders = ['plugins', 'sdk/examples'];

/** Where the SDK's package contains an example's file; undefined for other files. */
export function examplePath(file: string): string | undefined {
  const folder = exampleFolders.find((start) => file.startsWith(`${start}/`));
  return folder === undefined ? undefined : `examples/${file.slice(folder.length + 1)}`;
}

/** The repository's folder of an example plugin in the package. */
export function exampleSource(file: string): string {
  const [top = '', second = '', third = ''] = file.split('/');
  return top === 'sdk' ? `${top}/${second}/${third}` : `${top}/${second}`;
}

interface Source {
  readonly file: string;
  readonly text: string;
}

const isTest = (file: string) => /\.test\.tsx?$|\/outside-plugins\.ts$/.test(file);
const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.(test|stories|fixture)\.tsx?$/.test(file);

/** Whether it imports what other plugins of the product share, which a copy of it outside of the product cannot. */
const leans = ({ text }: Source) => text.includes("'#plugins/");

/** Finds examples in the templates, the product's plugins and the suites. */
export class WorkedExamples {
  readonly #templates: readonly Source[];
  readonly #plugins: readonly Source[];
  readonly #tests: readonly Source[];
  /** Characters of each plugin's sources. */
  readonly #sizes = new Map<string, number>();

  constructor(root: string) {
    this.#templates = sourcesIn(root, 'sdk/templates', isSource);
    const plugins = exampleFolders.flatMap((folder) => sourcesIn(root, folder, isSource));
    const leaning = new Set(plugins.filter(leans).map(({ file }) => exampleSource(file)));
    this.#plugins = plugins.filter(({ file }) => !leaning.has(exampleSource(file)));
    this.#tests = ['plugins', 'host-server', 'host-web', 'core', 'sdk', 'tests']
      .flatMap((folder) => sourcesIn(root, folder, isTest))
      .filter((test) => examplePath(test.file) === undefined || !leans(test));
    for (const { file, text } of this.#plugins) {
      const plugin = exampleSource(file);
      this.#sizes.set(plugin, (this.#sizes.get(plugin) ?? 0) + text.length);
    }
  }

  /** An example that matches a pattern: from the smallest plugin, which is the fastest to read. */
  of(pattern: RegExp, word: string): WorkedExample {
    const isFound = ({ text }: Source) => pattern.test(text);
    const template = this.#templates.find(isFound);
    const [smallest] = this.#plugins
      .filter(isFound)
      .toSorted((a, b) => this.#sizeOf(a) - this.#sizeOf(b) || (a.file < b.file ? -1 : 1));
    const test = this.#testOf(smallest ?? template, word);
    return {
      ...(template !== undefined && { template: templateOf(template.file) }),
      ...(smallest !== undefined && { file: smallest.file }),
      ...(test !== undefined && { test }),
    };
  }

  #sizeOf({ file }: Source): number {
    return this.#sizes.get(exampleSource(file)) ?? 0;
  }

  #testOfTemplate({ file }: Source): string | undefined {
    return this.#tests.find((test) => dirname(test.file) === dirname(file))?.file;
  }

  /** A test of the plugin, the nearest first; otherwise one that names the plugin or the example's subject. */
  #testOf(example: Source | undefined, word: string): string | undefined {
    const named =
      (text: string) =>
      ({ text: of }: Source) =>
        of.includes(`'${text}'`);
    if (example === undefined) return this.#tests.find(named(word))?.file;
    if (example.file.startsWith('sdk/templates/')) return this.#testOfTemplate(example);
    const folder = exampleSource(example.file);
    const plugin = basename(folder);
    const own = this.#tests.filter(({ file }) => file.startsWith(`${folder}/`));
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

/** The name of a file's template. */
function templateOf(file: string): string {
  return file.split('/')[2] ?? basename(file);
}

function sourcesIn(root: string, folder: string, wanted: (file: string) => boolean): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => wanted(file) && !file.includes('node_modules'))
    .filter((file) => statSync(join(root, file)).isFile())
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}
