import type { Readable } from 'node:stream';
import {
  createToken,
  type PluginAsks,
  type PluginColumnUse,
  type PluginFilterUse,
  type PluginProposal,
  type PluginRemovalPlan,
  type PluginSigner,
} from '../shared/index.ts';

/** Where an archive comes from. @public */
export interface ArchiveSource {
  readonly kind: 'file' | 'index';
  readonly archive: Readable;
  readonly signal?: AbortSignal;
}

/**
 * Installs and removes plugins, for administrators. No call starts a plugin that does not run. All throw 403 `PLUGINS_LOCKED` if
 * the operator has locked the plugins.
 *
 * @public
 */
export interface PluginInstaller {
  /**
   * Reads and checks an archive and stores it for an hour, without running any of its code. Throws 400 `ARCHIVE_...` for one that
   * is refused, 400 `PLUGIN_MANIFEST_INVALID`, 400 `PLUGIN_NOTHING_TO_RUN`, 409 `PLUGIN_IS_BUILT_IN` and 409
   * `PLUGIN_VERSION_INSTALLED`.
   */
  propose(source: ArchiveSource): Promise<PluginProposal>;
  /**
   * Packs the built folder of a plugin and proposes that, as `propose` does. What does not belong into an archive is left out; the
   * signature of a packed folder stays. Throws besides 400 `PLUGIN_FOLDER_NO_MANIFEST` and 400 `PLUGIN_FOLDER_REFUSED`.
   *
   * @param files their bytes by their paths from the folder
   */
  proposeFolder(files: ReadonlyMap<string, Uint8Array>, signal?: AbortSignal): Promise<PluginProposal>;
  /** The proposal with this ticket. Throws 404 `PLUGIN_PROPOSAL_GONE`. */
  proposal(ticket: string): Promise<PluginProposal>;
  /** The proposal's own texts in a language: English text to translated text. Throws 404 `PLUGIN_PROPOSAL_GONE`. */
  words(ticket: string, locale: string): Promise<Readonly<Record<string, string>>>;
  /** Discards a proposal; a missing one is no error. */
  discard(ticket: string): Promise<void>;
  /**
   * Installs a proposal. If another version runs, the new one is loaded and migrated first and then replaces it; if it fails, the
   * former version continues and the new one is removed. An installation that was cut off by the end of a server is completed by
   * the next call with the same ticket: it is finished or reverted. Throws 404 `PLUGIN_PROPOSAL_GONE`, 409
   * `PLUGIN_NEEDS_CONSENT`, 409 `PLUGIN_SIGNER_CHANGED`, 409 `PLUGIN_INCOMPATIBLE`, 500 `PLUGIN_FAILED`, 503 `PLUGIN_HELD_UP`,
   * 500 `PLUGIN_CHANGE_CUT_OFF`.
   */
  install(ticket: string, options: PluginInstallOptions): Promise<{ readonly id: string }>;
  /** The signer of a version on the server; undefined if it is unsigned, or if an operator copied it there. */
  signerOf(id: string, version: string): Promise<PluginSigner | undefined>;
  /** Switches to another version that is on the server. Throws 404 `PLUGIN_VERSION_UNKNOWN`, and the errors of `install`. */
  use(id: string, version: string, options: PluginUseOptions): Promise<void>;
  /** Finishes or reverts an installation or a change of version that the end of a server cut off. */
  settle(id: string): Promise<void>;
  /** The consequences of removing an installed plugin. Throws 409 `PLUGIN_IS_BUILT_IN`. */
  planRemoval(id: string): Promise<PluginRemovalPlan>;
  /** Columns of its types, which get their fallback type before it is removed. Throws 403 `PLUGINS_LOCKED`. */
  columnsToRelease(id: string): Promise<readonly PluginColumnUse[]>;
  /** Filters with its comparisons, which are removed from their views before it is removed. Throws 403 `PLUGINS_LOCKED`. */
  filtersToRelease(id: string): Promise<readonly PluginFilterUse[]>;
  /** The rows of its own tables, its values and its settings without secrets, as pieces of one JSON text. */
  dataOf(id: string): AsyncIterable<string>;
  /**
   * Restores the data of `dataOf`, completely or not at all, replacing the present rows of its tables; settings are not restored.
   * A running plugin is off meanwhile, here and on other servers. Throws 400 `PLUGIN_DATA_INVALID`, 409 `PLUGIN_DATA_OTHER`, 409
   * `PLUGIN_DATA_VERSION` for a file of another version than the one in use, 409 `PLUGIN_DATA_NO_TABLE`, 409
   * `PLUGIN_DATA_NO_COLUMN`, 409 `PLUGIN_DATA_REFUSED`, 409 `PLUGIN_DATA_BUSY` while another server restores data, 503
   * `PLUGIN_DATA_ELSEWHERE` if another server does not stop the plugin.
   */
  restoreData(id: string, text: string): Promise<void>;
  /**
   * Removes an installed plugin, its versions, its settings and its secrets. Throws 409 `PLUGIN_HAS_COLUMNS` while columns have
   * one of its types, unless they are to stay, readable but not writable. Throws 409 `PLUGIN_HAS_DEPENDENTS` for a running
   * dependent that is not named.
   */
  remove(id: string, options: PluginRemovalOptions): Promise<void>;
}

/**
 * The step of a change of plugins: checking it, moving files, starting the version (or stopping the removed plugin), and cleaning
 * up. During `check` it can still be aborted without any change.
 *
 * @public
 */
export type PluginChangeStep = 'check' | 'place' | 'start' | 'tidy';

/** Options to follow a change of plugins. @public */
export interface PluginChangeOptions {
  /** Aborts the change as long as nothing has changed; later it is completed. */
  readonly signal?: AbortSignal;
  /** Called as each step begins. */
  readonly onStep?: (step: PluginChangeStep) => void;
}

/** Options for switching to another version. @public */
export interface PluginUseOptions extends PluginChangeOptions {
  /** What the caller agreed to, among what the version asks for. */
  readonly consent: Partial<PluginAsks>;
}

/** What the caller was shown of a proposal and agreed to. @public */
export interface PluginInstallOptions extends PluginUseOptions {
  /** The key of the proposal's `formerSigner`: consent to replace a version signed by somebody else. */
  readonly formerSigner?: string;
}

/** Options for removing a plugin. @public */
export interface PluginRemovalOptions extends PluginChangeOptions {
  /** The running plugins to switch off with it. */
  readonly cascade: readonly string[];
  /** Keeps its own tables and values for a later installation. */
  readonly keepData: boolean;
  /** Leaves columns of its types, which then cannot be written. */
  readonly leaveColumns: boolean;
  /**
   * Awaited once the removal is accepted and the plugin is off. If it throws, the plugin stays installed, switched off, with all
   * its data.
   */
  readonly onStopped?: () => Promise<void>;
}
/** Puts plugins on the server and takes them away. @public */
export const PluginInstallerToken = createToken<PluginInstaller>('plugin-installer');
