import { join } from 'node:path';
import { defineErrors, parseManifest, type PluginManifest, type SerialQueue } from '@trellis/core';
import type { ArchiveSource, PluginInstaller, PluginInstallOptions } from '@trellis/sdk/server';
import { isDevelopmentVersion, type PluginProposal } from '@trellis/sdk/shared';
import { readArchive } from '@trellis/sdk/build/archive/read-archive';
import { manifestPath } from '@trellis/sdk/build/archive/format';
import { parseArchiveJson } from '@trellis/sdk/build/archive/parse-archive-json';
import {
  agreedWith,
  assertAgreed,
  asksForNothing,
  joinConsent,
  unagreedAsks,
  type Asking,
  type Consent,
} from './consent.ts';
import type { ConsentNotes } from './consent-notes.ts';
import { describeProposal, signerOf } from './describe-proposal.ts';
import { packFolder } from './pack-folder.ts';
import { isInFolder } from './found-plugin.ts';
import { foldersIn, readVersion } from './installed-folder.ts';
import { readWords } from '../plugin-words.ts';
import { readInstallNote, writeInstallNote, type InstallNote, type PendingChange } from './install-note.ts';
import { VersionChange, type VersionChangeDependencies } from './version-change.ts';

const installErrors = defineErrors({
  PLUGIN_IS_BUILT_IN: {
    status: 409,
    message:
      "'{plugin}' is built in, so no other plugin can have this id; its author must give it another one.",
  },
  PLUGIN_VERSION_INSTALLED: {
    status: 409,
    message:
      "'{plugin}' {version} is on this server already; remove it first, or bring a version with another number.",
  },
  PLUGIN_CHANGE_CUT_OFF: {
    status: 500,
    message:
      "The server ended while it put version {version} of '{plugin}' into use; version {former} is in use again.",
  },
  PLUGIN_NOTHING_TO_RUN: {
    status: 400,
    message:
      "There is nothing to run in '{plugin}': neither dist/server/index.js nor dist/web/index.js. Its author must build it first.",
  },
  PLUGIN_CONSENT_NOT_KEPT: {
    status: 500,
    message:
      "The folder of '{plugin}' cannot be written, so nobody could know later what was agreed to. Let the server write there, or let its operator name '{plugin}:*' in TRELLIS_PLUGINS_ENABLED.",
  },
  PLUGIN_SIGNER_CHANGED: {
    status: 409,
    message:
      "'{plugin}' was signed with the key {fingerprint} here until now, and this version is not; somebody must confirm that its author changed the key.",
  },
});

/** The number of versions of a plugin that are kept: the one in use and the one before it. */
const keptVersions = 2;

export interface PluginInstallerDependencies extends VersionChangeDependencies {
  readonly queue: SerialQueue;
  readonly consents: ConsentNotes;
  /** Informs browsers and other servers. */
  readonly tellOfChanges: () => Promise<void>;
  readonly assertUnlocked: () => void;
  /** Called for a failure after an installation succeeded. */
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

/** Further methods that only the host calls. */
export interface HostPluginInstaller extends Omit<
  PluginInstaller,
  'planRemoval' | 'columnsToRelease' | 'filtersToRelease' | 'dataOf' | 'restoreData' | 'remove'
> {
  /**
   * Stores consent to what an installed plugin asks for, even if that is nothing: then another build of the same version is known
   * to ask for more.
   *
   * @throws TrellisError `PLUGIN_NEEDS_CONSENT` when something lacks consent, and `PLUGIN_CONSENT_NOT_KEPT`.
   */
  agree(id: string, consent: Consent): Promise<void>;
}

/** See `PluginInstaller`. */
export function createPluginInstaller(deps: PluginInstallerDependencies): HostPluginInstaller {
  const { library, manager, staging, queue } = deps;
  const change = new VersionChange(deps);
  const homeOf = (id: string) => change.homeOf(id);

  function assertForeign(id: string): void {
    const found = library.find(id);
    if (found !== undefined && !isInFolder(found))
      throw installErrors.create('PLUGIN_IS_BUILT_IN', { plugin: id });
  }

  async function describe(ticket: string) {
    const facts = await staging.factsOf(ticket);
    const { manifest, halves = [] } = await staging.read(ticket);
    const proposal = describeProposal(manifest, {
      ticket,
      halves,
      facts,
      note: await readInstallNote(homeOf(facts.id)),
      current: library.find(facts.id)?.manifest,
      last: library.remembered(facts.id),
      problems: manager.problemsOf({ id: facts.id, origin: 'installed', manifest }),
    });
    if (proposal.halves.length > 0) return proposal;
    await staging.remove(ticket);
    throw installErrors.create('PLUGIN_NOTHING_TO_RUN', { plugin: proposal.name });
  }

  /**
   * Ends a change that the end of a server cut off.
   *
   * @returns the finished change, if it was a change to this version
   * @throws TrellisError `PLUGIN_CHANGE_CUT_OFF` if the change to this version was reverted: a change that may have ended a
   * server is not tried again automatically.
   */
  async function takeUp(id: string, version: string): Promise<PendingChange | undefined> {
    const settled = await change.settle(id);
    if (settled?.pending.version !== version) return undefined;
    const { outcome, pending } = settled;
    if (outcome === 'restored') {
      await tellOf(id);
      const plugin = manager.status(id)?.manifest?.name ?? id;
      throw installErrors.create('PLUGIN_CHANGE_CUT_OFF', { plugin, version, former: pending.former });
    }
    return outcome === 'finished' ? pending : undefined;
  }

  async function tellOf(id: string): Promise<void> {
    await library.remember([id]);
    await deps.tellOfChanges();
  }

  /** Moves a proposal's files to their place. @throws TrellisError `PLUGIN_VERSION_INSTALLED` if the place is taken. */
  async function take(ticket: string, { id, name: plugin, version }: PluginManifest): Promise<string> {
    const folder = join(homeOf(id), version);
    try {
      await staging.take(ticket, folder);
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
      throw isTaken ? installErrors.create('PLUGIN_VERSION_INSTALLED', { plugin, version }, error) : error;
    }
    return folder;
  }

  /** Removes old versions that were installed through the product; versions that an operator copied stay. */
  async function prune(id: string, kept: readonly (string | undefined)[]): Promise<void> {
    const home = homeOf(id);
    const note = await readInstallNote(home);
    const old = Object.keys(note.versions ?? {}).filter((version) => !kept.includes(version));
    for (const version of old) await staging.bin(join(home, version)).catch(ignoreMissing);
    const versions = Object.fromEntries(
      Object.entries(note.versions ?? {}).filter(([version]) => kept.includes(version)),
    );
    await writeInstallNote(home, { ...note, versions });
    await library.refresh(id);
  }

  /** Cleans up after a new version is in use. */
  async function tidy(
    id: string,
    ticket: string,
    { version, former }: PendingChange,
    onStep: PluginInstallOptions['onStep'],
  ): Promise<{ readonly id: string }> {
    onStep?.('tidy');
    await library.refresh(id);
    // Old builds of a version in development are removed; released versions stay.
    const released = library.find(id)?.versions?.find((of) => of !== version && !isDevelopmentVersion(of));
    const before = former !== undefined && isDevelopmentVersion(former) ? released : former;
    await prune(id, [version, before].slice(0, keptVersions)).catch((error: unknown) =>
      deps.onError(id, 'prune', error),
    );
    await tellOf(id);
    // Removed last: as long as the ticket exists, a cut-off installation is taken up again.
    await staging.remove(ticket);
    return { id };
  }

  /** Restores the former note; for a plugin that was not installed, removes its folder. */
  async function giveBackNote(home: string, former: InstallNote): Promise<void> {
    await writeInstallNote(home, former);
    const isNew = Object.keys(former).length === 0 && (await foldersIn(home)).names.length === 0;
    if (isNew) await staging.bin(home);
  }

  async function propose({ kind, archive, signal }: ArchiveSource): Promise<PluginProposal> {
    deps.assertUnlocked();
    await staging.sweep();
    const { files, sha256, bytes, signer } = await readArchive(archive, { ...(signal && { signal }) });
    const json = parseArchiveJson(manifestPath, files.get(manifestPath) ?? Buffer.of());
    const manifest = parseManifest(json, `${manifestPath} of the archive`);
    const { id, name: plugin, version } = manifest;
    assertForeign(id);
    if (library.find(id)?.versions?.includes(version) === true)
      throw installErrors.create('PLUGIN_VERSION_INSTALLED', { plugin, version });
    const facts = { id, version, source: kind, sha256, bytes, files: files.size };
    return describe(
      await staging.put(files, { ...facts, ...(signer !== undefined && { publicKey: signer }) }),
    );
  }

  return {
    propose,
    async proposeFolder(files, signal) {
      deps.assertUnlocked();
      const archive = await packFolder(files);
      return propose({ kind: 'file', archive, ...(signal && { signal }) });
    },
    proposal: describe,
    words: async (ticket, locale) => readWords((await staging.read(ticket)).folder, locale),
    // Waits for an installation of it that is under way.
    discard: (ticket) => queue.run(() => staging.remove(ticket)),
    install(ticket, { consent, formerSigner, signal, onStep }) {
      deps.assertUnlocked();
      return queue.run(async () => {
        onStep?.('check');
        const { id, version, source, sha256, publicKey } = await staging.factsOf(ticket);
        assertForeign(id);
        const taken = await takeUp(id, version);
        if (taken !== undefined) return tidy(id, ticket, taken, onStep);
        const home = homeOf(id);
        const former = await readInstallNote(home);
        const brought = await staging.read(ticket);
        const { manifest } = brought;
        const agreed = agreedWith(brought, former.consent, consent);
        assertAgreed(manifest, unagreedAsks(brought, agreed));
        assertSigner(await describe(ticket), formerSigner);
        if (library.find(id)?.versions?.includes(version) === true)
          throw installErrors.create('PLUGIN_VERSION_INSTALLED', { plugin: manifest.name, version });
        signal?.throwIfAborted();
        onStep?.('place');
        const pending = change.plan(id, version, ticket);
        // The page says that a new plugin stays off, so an earlier decision about a removed plugin must not switch on its successor.
        if (pending.former === undefined && manager.status(id) !== undefined) await manager.disable(id);
        const origin = {
          installedAt: new Date().toISOString(),
          source,
          sha256,
          ...(publicKey !== undefined && { signer: publicKey }),
        };
        const versions = { ...former.versions, [version]: origin };
        // If the server starts in between, it must choose the version that is in use now.
        await writeInstallNote(home, {
          ...former,
          ...(pending.former !== undefined && { inUse: pending.former }),
          versions,
          pending,
        });
        try {
          const folder = await take(ticket, manifest);
          onStep?.('start');
          try {
            await change.putIntoUse(id, { ...former, consent: agreed, versions }, pending);
          } catch (error) {
            await staging.putBack(ticket, folder);
            throw error;
          }
        } catch (error) {
          await giveBackNote(home, former);
          throw error;
        }
        return tidy(id, ticket, pending, onStep);
      });
    },
    async signerOf(id, version) {
      const { signer } = (await readInstallNote(homeOf(id))).versions?.[version] ?? {};
      return signer === undefined ? undefined : signerOf(signer);
    },
    async agree(id, consent) {
      const found = library.find(id);
      if (found === undefined || !isInFolder(found)) return;
      const { consent: before } = await readInstallNote(homeOf(id));
      const agreed = agreedWith(found, before, consent);
      assertAgreed(found.manifest, unagreedAsks(found, agreed));
      try {
        await deps.consents.add(id, agreed);
      } catch (error) {
        // There is nothing to forget.
        if (asksForNothing(joinConsent(consent))) return;
        throw installErrors.create('PLUGIN_CONSENT_NOT_KEPT', { plugin: id }, error);
      }
      await library.refresh(id);
    },
    use(id, version, { consent, signal, onStep }) {
      deps.assertUnlocked();
      return queue.run(async () => {
        onStep?.('check');
        assertForeign(id);
        if ((await takeUp(id, version)) === undefined) {
          const note = await readInstallNote(homeOf(id));
          const found: Asking = (await readVersion(id, homeOf(id), version)) ?? {};
          const agreed = agreedWith(found, note.consent, consent);
          assertAgreed(found.manifest, unagreedAsks(found, agreed));
          signal?.throwIfAborted();
          onStep?.('start');
          await change.putIntoUse(id, { ...note, consent: agreed }, change.plan(id, version));
        }
        onStep?.('tidy');
        await library.refresh(id);
        await tellOf(id);
      });
    },
    settle: (id) =>
      queue.run(async () => {
        if ((await change.settle(id)) !== undefined) await tellOf(id);
      }),
  };
}

/** @throws TrellisError `PLUGIN_SIGNER_CHANGED` if another key signed the version in use, unless the caller names that key. */
function assertSigner({ name, formerSigner }: PluginProposal, confirmed: string | undefined): void {
  if (formerSigner !== undefined && formerSigner.publicKey !== confirmed)
    throw installErrors.create('PLUGIN_SIGNER_CHANGED', {
      plugin: name,
      fingerprint: formerSigner.fingerprint,
    });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
