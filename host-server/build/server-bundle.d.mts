import type { BuildOptions, OutputOptions } from 'rolldown';

interface ServerBundle extends BuildOptions {
  readonly input: Record<string, string>;
  readonly external: (id: string) => boolean;
  readonly output: OutputOptions;
}

export function serverBundle(root: string, output?: string): ServerBundle;
export function pluginIds(root: string): readonly string[];
