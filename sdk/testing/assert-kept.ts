import { sep } from 'node:path';
import { messageOf } from '@trellis/core';

/** What a plugin does not keep of what its manifest and its context promise: a line for each, with its place. */
class BrokenPromises extends Error {
  override readonly name = 'BrokenPromises';

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** @throws BrokenPromises if there are any */
export function assertKept(broken: readonly string[]): void {
  if (broken.length > 0) throw new BrokenPromises(broken);
}

/** @throws BrokenPromises with the reason, and with the stack of what `setup` threw, if the plugin is not enabled */
export function assertRuns(
  status: { readonly state: string; readonly reason?: string | undefined } | undefined,
  thrown?: unknown,
): void {
  if (status?.state === 'enabled' && status.reason === undefined) return;
  const broken = new BrokenPromises([status?.reason ?? `The plugin is ${status?.state ?? 'not there'}.`]);
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  broken.stack = [`${broken.name}: ${broken.message}`, ...frames].join('\n');
  throw broken;
}

/** @throws BrokenPromises if a plugin that runs from its sources is not enabled from `shipped`, where it is as it is built */
export function assertRunsBuilt(
  status: { readonly state: string; readonly reason?: string | undefined } | undefined,
  shipped: string,
): void {
  if (status?.state === 'enabled' && status.reason === undefined) return;
  throw failedBuilt(status?.reason ?? `The plugin is ${status?.state ?? 'not there'}.`, shipped);
}

/** Imports a built half. @throws BrokenPromises if that fails */
export async function importBuilt<Half>(read: () => Promise<Half>, shipped: string): Promise<Half> {
  return read().catch((error: unknown) => {
    throw failedBuilt(messageOf(error), shipped);
  });
}

function failedBuilt(reason: string, shipped: string): BrokenPromises {
  const sentence = reason.replaceAll(`${shipped}${sep}`, '').replace(/(?<![.!?])$/, '.');
  return new BrokenPromises([
    `It runs from its sources, but not as it is built and installed: ${sentence} An installed plugin has 'dist' and 'messages' alone; have its halves import what they need, as code or as JSON.`,
  ]);
}

/** A place of the manifest by its JSON pointer, of which the command line makes a line and a column. */
export function inManifest(path: string): string {
  return `plugin.json#${path}`;
}

type Items = Readonly<Record<string, readonly string[]>>;

/** The differences between the items that a manifest announces and those that are registered, as sentences. */
export function differencesOf(announced: Items, registered: Items): readonly string[] {
  const registries = [...new Set([...Object.keys(announced), ...Object.keys(registered)])].toSorted();
  return registries.flatMap((registry) => {
    const [said = [], done = []] = [announced[registry], registered[registry]];
    return [
      ...said
        .filter((id) => !done.includes(id))
        .map(
          (id) =>
            `${inManifest(`/contributes/${registry}`)} announces '${id}' for ${registry}, which 'setup' does not register; register it, or remove it here.`,
        ),
      ...done
        .filter((id) => !said.includes(id))
        .map(
          (id) =>
            `${inManifest(`/contributes/${registry}`)} does not announce '${id}' for ${registry}, which 'setup' registers; add { "id": "${id}" } to contributes.${registry}.`,
        ),
    ];
  });
}
