import { existsSync } from 'node:fs';
import type { PluginHalf } from '../../shared/index.ts';
import { type BuiltPlugin, buildPlugin } from '../build-plugin.ts';

const both: readonly PluginHalf[] = ['server', 'web'];

/** Builds a plugin repeatedly, each time only the halves that the changes affect. */
export class ChangedHalves {
  /** The files that each half was built from; empty after a failed build, because its files are unknown. */
  #sources = new Map<PluginHalf, ReadonlySet<string>>();

  constructor(private readonly folder: string) {}

  /** @param changed the files that changed since the last build; one that belongs to no half may affect both */
  async build(changed: ReadonlySet<string>): Promise<BuiltPlugin> {
    const before = this.#sources;
    const isKnown = (file: string) => [...before.values()].some((files) => files.has(file));
    // Editors write a temporary file first, which then replaces the file.
    const relevant = [...changed].filter((file) => isKnown(file) || existsSync(file));
    const kept =
      relevant.length > 0 && relevant.every(isKnown)
        ? both.filter((half) => {
            const files = before.get(half);
            return files !== undefined && !relevant.some((file) => files.has(file));
          })
        : [];
    this.#sources = new Map();
    const built = await buildPlugin(this.folder, 'dist', kept);
    this.#sources = new Map(
      built.halves.map((half) => [
        half,
        kept.includes(half) ? (before.get(half) ?? new Set()) : new Set(built.sources[half]),
      ]),
    );
    return built;
  }
}
