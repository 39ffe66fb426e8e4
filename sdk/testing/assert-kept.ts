import { sep } from 'node:path';
import { messageOf } from '@trellis/core';

/** What a plugin does not keep of what its manifest and its context promise: a line for each, with its place. */
class BrokenPromises extends Error {
  override readonly name = 'BrokenPromises';

  /** @param thrown an error of the plugin, whose frames tell the place */
  constructor(lines: readonly string[], thrown?: unknown) {
    super(lines.join('\n'));
    // Errors of Node itself are of another realm than Jest's.
    const { stack = '' } = (thrown ?? {}) as { readonly stack?: string };
    const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
    if (frames.length > 0) this.stack = [`BrokenPromises: ${this.message}`, ...frames].join('\n');
  }
}

/** @throws BrokenPromises if there are any */
export function assertKept(broken: readonly string[]): void {
  if (broken.length > 0) throw new BrokenPromises(broken);
}

/** A plugin's state, as hosts tell it. */
type Status = { readonly state: string; readonly reason?: string | undefined } | undefined;

/** Why a plugin is not enabled; undefined if it is. */
function whyNot(status: Status): string | undefined {
  return status?.state === 'enabled'
    ? status.reason
    : (status?.reason ?? `The plugin is ${status?.state ?? 'not there'}.`);
}

/** @throws BrokenPromises with the reason, at the place of what `setup` threw, if the plugin is not enabled */
export function assertRuns(status: Status, thrown?: unknown): void {
  const reason = whyNot(status);
  if (reason !== undefined) throw new BrokenPromises([reason], thrown);
}

/** @throws BrokenPromises if a plugin that runs from its sources is not enabled from `shipped`, where it is as it is built */
export function assertRunsBuilt(status: Status, shipped: string, thrown?: unknown): void {
  const reason = whyNot(status);
  if (reason !== undefined) throw failedBuilt(reason, shipped, thrown);
}

/** Imports a built half. @throws BrokenPromises if that fails */
export async function importBuilt<Half>(read: () => Promise<Half>, shipped: string): Promise<Half> {
  return read().catch((error: unknown) => {
    throw failedBuilt(messageOf(error), shipped, error);
  });
}

function failedBuilt(reason: string, shipped: string, thrown: unknown): BrokenPromises {
  const sentence = reason.replaceAll(`${shipped}${sep}`, '').replace(/(?<![.!?])$/, '.');
  const line = `It runs from its sources, but not as it is built and installed: ${sentence} An installed plugin has 'dist' and 'messages' alone; have its halves import what they need, as code or as JSON.`;
  return new BrokenPromises([line], thrown);
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
