import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A use of a part of the SDK as an author would write it, and its test. Paths start at the repository's root. */
export interface WorkedExample {
  /** The template of `create-trellis-plugin` that shows it, if any. */
  readonly template?: string;
  readonly file?: string;
  readonly test?: string;
  /** The product's plugins whose shared code the example imports; plugins outside the product cannot do that. */
  readonly leansOn: readonly string[];
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

/** Finds examples in the templates, the product's plugins and the suites. */
export class WorkedExamples {
  readonly #templates: readonly Source[];
  readonly #plugins: readonly Source[];
  readonly #tests: readonly Source[];
  /** Characters of each plugin's sources. */
  readonly #sizes = new Map<string, number>();
  /** Each plugin's imports of other plugins. */
  readonly #leaning = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#templates = sourcesIn(root, 'sdk/templates', isSource);
    this.#plugins = exampleFolders.flatMap((folder) => sourcesIn(root, folder, isSource));
    this.#tests = ['plugins', 'host-server', 'host-web', 'core', 'sdk', 'tests'].flatMap((folder) =>
      sourcesIn(root, folder, isTest),
    );
    for (const { file, text } of this.#plugins) {
      const plugin = exampleSource(file);
      this.#sizes.set(plugin, (this.#sizes.get(plugin) ?? 0) + text.length);
      const others = [...text.matchAll(/'#plugins\/([a-z0-9-]+)\//g)].map(([, id = '']) => id);
      this.#leaning.set(plugin, new Set([...(this.#leaning.get(plugin) ?? []), ...others]));
    }
  }

  /**
   * An example that matches a pattern: from the smallest plugin, which is the fastest to read; stand-alone plugins are preferred.
   */
  of(pattern: RegExp, word: string): WorkedExample {
    const isFound = ({ text }: Source) => pattern.test(text);
    const template = this.#templates.find(isFound);
    const [smallest] = this.#plugins
      .filter(isFound)
      .toSorted(
        (a, b) =>
          Number(this.#leansOn(a).length > 0) - Number(this.#leansOn(b).length > 0) ||
          this.#sizeOf(a) - this.#sizeOf(b) ||
          (a.file < b.file ? -1 : 1),
      );
    const test = this.#testOf(smallest ?? template, word);
    return {
      ...(template !== undefined && { template: templateOf(template.file) }),
      ...(smallest !== undefined && { file: smallest.file }),
      ...(test !== undefined && { test }),
      leansOn: smallest === undefined ? [] : this.#leansOn(smallest),
    };
  }

  #leansOn({ file }: Source): readonly string[] {
    return [...(this.#leaning.get(exampleSource(file)) ?? [])].toSorted();
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
