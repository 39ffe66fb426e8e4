import { access } from 'node:fs/promises';
import { join } from 'node:path';
import isNewer from 'semver/functions/gt.js';
import { defineErrors, pluginErrors, type PluginManager } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import { readVersion } from './installed-folder.ts';
import { readInstallNote, writeInstallNote, type InstallNote, type PendingChange } from './install-note.ts';
import type { LibraryChange, PluginLibrary } from './plugin-library.ts';
import type { PluginStaging } from './staging.ts';

const changeErrors = defineErrors({
  PLUGIN_VERSION_UNKNOWN: { status: 404, message: "'{plugin}' is not on this server in version {version}." },
});

export interface VersionChangeDependencies {
  readonly library: PluginLibrary;
  readonly manager: PluginManager<ServerPluginContext>;
  readonly staging: PluginStaging;
  /** Puts a change into service; if it is refused, the state before stays. */
  readonly apply: (change: LibraryChange) => Promise<unknown>;
}

/** How a cut-off change was ended. */
export interface SettledChange {
  readonly pending: PendingChange;
  /** `untouched`: the version in use had not changed yet; `restored`: the former one is in use again. */
  readonly outcome: 'finished' | 'untouched' | 'restored';
}

/**
 * Changes the version of a plugin that is in use. An unfinished change is recorded in the plugin's note, so that after a crash
 * either the former version or the new one is in use, never a mix.
 */
export class VersionChange {
  readonly #deps: VersionChangeDependencies;

  constructor(deps: VersionChangeDependencies) {
    this.#deps = deps;
  }

  homeOf(id: string): string {
    return join(this.#deps.library.folder, id);
  }

  /** @param ticket the proposal that brings the version; undefined for a version that is already on the server. */
  plan(id: string, version: string, ticket?: string): PendingChange {
    const former = this.#deps.library.find(id)?.manifest?.version;
    return {
      version,
      wasOn: this.#isOn(id),
      ...(former !== undefined && { former }),
      ...(ticket !== undefined && { ticket }),
    };
  }

  /**
   * Puts a version that is on the server into use. If it is refused, the former version and its note stay.
   *
   * @param note the note after the change
   * @throws TrellisError `PLUGIN_VERSION_UNKNOWN`, and the error that refuses the plugin
   */
  async putIntoUse(id: string, note: InstallNote, pending: PendingChange): Promise<void> {
    const { library, apply } = this.#deps;
    const home = this.homeOf(id);
    const { version } = pending;
    const found = await this.#read(id, version, note);
    library.expect(found);
    const former = await readInstallNote(home);
    const chosen = { ...note, inUse: version, passedOver: this.#passedOverFor(id, version) };
    // The note is written before the version runs: otherwise a version could run that the next start does not choose.
    await writeInstallNote(home, { ...chosen, pending });
    try {
      await apply({ id, next: found });
    } catch (error) {
      await writeInstallNote(home, former);
      throw error;
    }
    await writeInstallNote(home, chosen);
  }

  /** The newest version that is there, where that is newer than the chosen one. */
  #passedOverFor(id: string, version: string): string | undefined {
    const newest = this.#deps.library.find(id)?.versions?.[0];
    return newest !== undefined && isNewer(newest, version) ? newest : undefined;
  }

  /** Ends a change that the end of a server cut off; undefined if there is none. */
  async settle(id: string): Promise<SettledChange | undefined> {
    const home = this.homeOf(id);
    const { pending, ...note } = await readInstallNote(home);
    if (pending === undefined) return undefined;
    const wasChosen = note.inUse === pending.version;
    if (wasChosen && this.#runs(id, pending)) {
      await writeInstallNote(home, note);
      return { pending, outcome: 'finished' };
    }
    await this.#goBack(id, note, pending);
    return { pending, outcome: wasChosen ? 'restored' : 'untouched' };
  }

  async #goBack(id: string, note: InstallNote, pending: PendingChange): Promise<void> {
    const { library, manager, apply } = this.#deps;
    const { version, former, wasOn, ticket } = pending;
    const home = this.homeOf(id);
    if (ticket !== undefined) await this.#takeOut(ticket, join(home, version));
    if (former === undefined) {
      await this.#deps.staging.bin(home);
      if (library.find(id) !== undefined) await apply({ id });
      return;
    }
    const { [version]: origin, ...others } = note.versions ?? {};
    const versions = ticket === undefined && origin !== undefined ? note.versions : others;
    const next = await this.#read(id, former, note);
    library.expect(next);
    await writeInstallNote(home, { ...note, inUse: former, versions });
    // The start of the server began with the former version.
    if (library.find(id)?.manifest?.version !== former) await apply({ id, next });
    if (wasOn && !this.#isOn(id)) await manager.enable(id, { cascade: false });
    await library.refresh(id);
  }

  /** Moves the files back to wait for a decision, or deletes them if their proposal is gone. */
  async #takeOut(ticket: string, folder: string): Promise<void> {
    const { staging } = this.#deps;
    if (!(await exists(folder))) return;
    if (await staging.waits(ticket)) await staging.putBack(ticket, folder);
    else await staging.bin(folder);
  }

  /** A version with the consent, which the note holds for all versions. */
  async #read(id: string, version: string, { consent }: InstallNote) {
    const found = await readVersion(id, this.homeOf(id), version);
    if (found === undefined)
      throw changeErrors.create('PLUGIN_VERSION_UNKNOWN', {
        plugin: this.#deps.manager.status(id)?.manifest?.name ?? id,
        version,
      });
    if (found.problem !== undefined)
      throw pluginErrors.create('PLUGIN_INCOMPATIBLE', { plugin: id, reason: found.problem });
    return { ...found, consent };
  }

  #isOn(id: string): boolean {
    const state = this.#deps.manager.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  /** Whether the new version is installed, and runs if the former one did. */
  #runs(id: string, { version, wasOn }: PendingChange): boolean {
    const isThere = this.#deps.library.find(id)?.manifest?.version === version;
    return isThere && (!wasOn || this.#isOn(id));
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
