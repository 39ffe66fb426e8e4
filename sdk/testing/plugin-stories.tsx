import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ComponentType, createElement, type ReactNode } from 'react';
import type { MemoryHostOptions } from './memory-host.ts';

type Props = Readonly<Record<string, unknown>>;

/** What a story says of itself, and a module says for all of its stories. */
interface Annotations {
  readonly args?: Props;
  readonly parameters?: { readonly host?: MemoryHostOptions };
}

/** A module in the Component Story Format, as far as it is used here: one component, and an export for each way to show it. */
interface StoryModule {
  readonly default?: Annotations & { readonly component?: ComponentType<Props> };
  readonly [name: string]: unknown;
}

interface Story extends Annotations {
  readonly render?: (args: Props) => ReactNode;
}

/** A story of a plugin, ready to be drawn. */
export interface PluginStory {
  /** Its file within the web half, and its name: `NoteCell.stories.tsx: Filled`. */
  readonly name: string;
  readonly ui: ReactNode;
  /** What it wants of the host: `parameters.host` of its own, or else of its module. */
  readonly host: MemoryHostOptions | undefined;
}

/** The files of a web half that hold stories, within the half's folder. */
export function storyFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.stories\.[tj]sx$/.test(entry.name));
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

/** The stories of one file. */
export async function readStories(folder: string, file: string): Promise<readonly PluginStory[]> {
  const { default: shared = {}, ...stories } = (await import(
    pathToFileURL(join(folder, file)).href
  )) as StoryModule;
  return Object.entries(stories).map(([name, value]) => {
    const { render, args, parameters } = value as Story;
    const given = { ...shared.args, ...args };
    const drawn = render ?? ((props: Props) => shared.component && createElement(shared.component, props));
    return { name: `${file}: ${name}`, ui: drawn(given), host: parameters?.host ?? shared.parameters?.host };
  });
}
