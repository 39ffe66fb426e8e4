import { join } from 'node:path';
import type { PersistedPluginState } from '@trellis/core';
import { pluginAskKinds } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { readSetting, writeSetting } from '../../metadata/settings.ts';
import { asksOf, joinConsent, type Consent } from './consent.ts';
import type { FoundPlugin } from './found-plugin.ts';
import { readInstallNote, writeInstallNote } from './install-note.ts';
import { readVersion } from './installed-folder.ts';

/** The decision about a plugin, and its version at that time. */
interface Decided {
  readonly state: PersistedPluginState;
  readonly version: string | undefined;
}

export interface ConsentNotesDependencies {
  readonly metadata: Metadata;
  /** Where installed plugins are. */
  readonly folder: string;
  /** Called for a note that could not be written. */
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

/** This setting exists once the notes of all plugins contain every kind. */
const settingKey = 'plugin-asks-noted';

/**
 * The consent to installed plugins, in notes beside them. Notes from before there were other kinds than product paths are
 * completed: for a kind that nobody was asked about, whatever the version in use asks for counts as agreed.
 */
export class ConsentNotes {
  readonly #deps: ConsentNotesDependencies;
  /** Whether a plugin without a note may be from before there were notes. */
  #mayBeFormer = false;
  #hasFailed = false;

  constructor(deps: ConsentNotesDependencies) {
    this.#deps = deps;
  }

  /** Called before the plugins of a start are settled. */
  async begin(): Promise<void> {
    const { database } = this.#deps.metadata;
    this.#mayBeFormer = (await database.read((unit) => readSetting(unit, settingKey))) === undefined;
  }

  /** Called after all plugins are settled. As long as a note cannot be written, the next start settles it again. */
  async end(): Promise<void> {
    if (!this.#mayBeFormer || this.#hasFailed) return;
    const { database } = this.#deps.metadata;
    await database.write((unit) => writeSetting(unit, settingKey, 'yes'), { retry: true });
    this.#mayBeFormer = false;
  }

  /** The consent to a plugin, which is stored in its note from then on. */
  async settle(found: FoundPlugin, decided: Decided | undefined): Promise<Consent> {
    const { id } = found;
    const home = this.#homeOf(id);
    const note = await readInstallNote(home);
    // Every consent covers paths: earlier versions asked about paths only.
    const { paths = [], ...others } = note.consent ?? {};
    const consent: Consent = { paths, ...others };
    if (pluginAskKinds.every((kind) => consent[kind] !== undefined)) return consent;
    const inUse = note.pending?.former ?? note.inUse;
    // For a plugin installed through the product, everything it asks for was shown, even if nobody switched it on.
    const shown = inUse !== undefined && note.versions?.[inUse] !== undefined ? inUse : undefined;
    const isFormer = this.#mayBeFormer || note.consent !== undefined || shown !== undefined;
    const version = isFormer && decided?.state === 'enabled' ? (decided.version ?? shown) : shown;
    const used = await this.#versionOf(found, version);
    if (used?.manifest === undefined) return consent;
    const settled = joinConsent({ ...asksOf(used), ...consent });
    const listsHooks = consent.hooks !== undefined || used.manifest.contributes?.hooks !== undefined;
    try {
      await writeInstallNote(home, {
        ...note,
        consent: settled,
        ...(!listsHooks && { unlistedHooks: used.manifest.version }),
      });
    } catch (error) {
      this.#hasFailed = true;
      this.#deps.onError(id, 'consent', error);
    }
    return settled;
  }

  /** Adds further consent to a note. @throws Error if the note cannot be written. */
  async add(id: string, more: Consent): Promise<void> {
    const home = this.#homeOf(id);
    const note = await readInstallNote(home);
    const consent = joinConsent(note.consent, more);
    if (JSON.stringify(consent) !== JSON.stringify(note.consent))
      await writeInstallNote(home, { ...note, consent });
  }

  #homeOf(id: string): string {
    return join(this.#deps.folder, id);
  }

  async #versionOf(found: FoundPlugin, version: string | undefined): Promise<FoundPlugin | undefined> {
    if (version === undefined || found.manifest?.version === version)
      return version === undefined ? undefined : found;
    return readVersion(found.id, this.#homeOf(found.id), version);
  }
}
