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
 * Puts plugins on the server and takes them away, for whoever administers them. No call starts a plugin that does not run.
 * All throw 403 `PLUGINS_LOCKED` where the operator has locked the plugins.
 *
 * @public
 */
export interface PluginInstaller {
  /**
   * Reads and checks an archive and keeps it for an hour, without running any of it. Throws 400 `ARCHIVE_...` for one that is refused,
   * 400 `PLUGIN_MANIFEST_INVALID`, 400 `PLUGIN_NOTHING_TO_RUN`,
   * 409 `PLUGIN_IS_BUILT_IN` and 409 `PLUGIN_VERSION_INSTALLED`.
   */
  propose(source: ArchiveSource): Promise<PluginProposal>;
  /**
   * Packs the built folder of a plugin and proposes that, as `propose` does. What does not belong into an archive is left out; the
   * signature of a packed folder stays. Throws besides 400 `PLUGIN_FOLDER_NO_MANIFEST` and 400 `PLUGIN_FOLDER_REFUSED`.
   *
   * @param files their bytes by their paths from the folder
   */
  proposeFolder(files: ReadonlyMap<string, Uint8Array>, signal?: AbortSignal): Promise<PluginProposal>;
  /** What was proposed. Throws 404 `PLUGIN_PROPOSAL_GONE`. */
  proposal(ticket: string): Promise<PluginProposal>;
  /** What it says of itself in a language: English text to translated text. Throws 404 `PLUGIN_PROPOSAL_GONE`. */
  words(ticket: string, locale: string): Promise<Readonly<Record<string, string>>>;
  /** Gives a proposal back; one that is gone is no error. */
  discard(ticket: string): Promise<void>;
  /**
   * Installs what was proposed. Where another version runs, the new one is loaded and migrated first and takes its place; when it fails,
   * the one before goes on and the new one is removed. An installation that the end of a server cut off is taken up by the next call
   * with the same ticket: it is finished, or what was before is there again. Throws 404 `PLUGIN_PROPOSAL_GONE`, 409 `PLUGIN_NEEDS_CONSENT`,
   * 409 `PLUGIN_SIGNER_CHANGED`, 409 `PLUGIN_INCOMPATIBLE`, 500 `PLUGIN_FAILED`, 503 `PLUGIN_HELD_UP`, 500
   * `PLUGIN_CHANGE_CUT_OFF`.
   */
  install(ticket: string, options: PluginInstallOptions): Promise<{ readonly id: string }>;
  /** Who signed a version that lies on the server; undefined for an unsigned one, and for one that an operator copied there. */
  signerOf(id: string, version: string): Promise<PluginSigner | undefined>;
  /** Puts another version that lies on the server into use. Throws 404 `PLUGIN_VERSION_UNKNOWN`, and as `install` does. */
  use(id: string, version: string, options: PluginUseOptions): Promise<void>;
  /** Ends an installation or a change of the version that the end of a server cut off: it is finished or taken back. */
  settle(id: string): Promise<void>;
  /** What removing an installed plugin would take along. Throws 409 `PLUGIN_IS_BUILT_IN`. */
  planRemoval(id: string): Promise<PluginRemovalPlan>;
  /** Columns of its types, which change into what they fall back to before it goes. Throws 403 `PLUGINS_LOCKED`. */
  columnsToRelease(id: string): Promise<readonly PluginColumnUse[]>;
  /** Filters by its comparisons, which are taken out of their views before it goes. Throws 403 `PLUGINS_LOCKED`. */
  filtersToRelease(id: string): Promise<readonly PluginFilterUse[]>;
  /** The rows of its own tables, its values and its settings without secrets, as the pieces of one JSON text. */
  dataOf(id: string): AsyncIterable<string>;
  /**
   * Puts the text that `dataOf` gave back, in one go or not at all, in place of what its tables hold now; settings are not put back. One that
   * runs is off meanwhile, here and on other servers. Throws 400 `PLUGIN_DATA_INVALID`, 409 `PLUGIN_DATA_OTHER`, 409 `PLUGIN_DATA_VERSION`
   * for a file of another version than the one in use, 409 `PLUGIN_DATA_NO_TABLE`, 409 `PLUGIN_DATA_NO_COLUMN`, 409 `PLUGIN_DATA_REFUSED`,
   * 409 `PLUGIN_DATA_BUSY` while another server puts data back, 503 `PLUGIN_DATA_ELSEWHERE` where another one does not stop running it.
   */
  restoreData(id: string, text: string): Promise<void>;
  /**
   * Removes an installed plugin, its versions, its settings and its secrets. Throws 409 `PLUGIN_HAS_COLUMNS` while columns have a
   * type of it, unless they are to stay as they are: readable, and not to be written. Throws 409 `PLUGIN_HAS_DEPENDENTS` for a running
   * plugin that needs it and is not named.
   */
  remove(id: string, options: PluginRemovalOptions): Promise<void>;
}

/**
 * What a change of the plugins on a server is at: looking whether it may be, moving files, starting the version (or stopping the plugin
 * that goes), and what is left after that. Up to and with `check` it can be ended, and nothing has changed.
 *
 * @public
 */
export type PluginChangeStep = 'check' | 'place' | 'start' | 'tidy';

/** How a change of the plugins on a server is followed. @public */
export interface PluginChangeOptions {
  /** Ends it where nothing has changed yet; later it goes on to its end. */
  readonly signal?: AbortSignal;
  /** Called as each step begins. */
  readonly onStep?: (step: PluginChangeStep) => void;
}

/** How another version is put into use. @public */
export interface PluginUseOptions extends PluginChangeOptions {
  /** What the caller agreed to that the version asks for. */
  readonly consent: Partial<PluginAsks>;
}

/** What the caller was shown of a proposal and agreed to. @public */
export interface PluginInstallOptions extends PluginUseOptions {
  /** The key of the proposal's `formerSigner`: that the version in use was signed by somebody else. */
  readonly formerSigner?: string;
}

/** How a plugin is removed. @public */
export interface PluginRemovalOptions extends PluginChangeOptions {
  /** The running plugins to switch off with it. */
  readonly cascade: readonly string[];
  /** Keeps its own tables and values for the time when it is installed again. */
  readonly keepData: boolean;
  /** Leaves columns of its types behind that nobody can write. */
  readonly leaveColumns: boolean;
  /** Awaited once nothing refuses the removal and the plugin is off. What it throws leaves the plugin there, off and with all it has. */
  readonly onStopped?: () => Promise<void>;
}
/** Puts plugins on the server and takes them away. @public */
export const PluginInstallerToken = createToken<PluginInstaller>('plugin-installer');
