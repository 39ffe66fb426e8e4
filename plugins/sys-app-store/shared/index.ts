import type { PluginProposal, TaskEntity } from '@trellis/sdk/shared';

/** A proposal, with what the self-hoster knows of whoever signed it. */
export interface OfferedProposal extends PluginProposal {
  /** The name that the self-hoster gave to the key; absent for a key that nobody knows. */
  readonly publisher?: string;
  /** Whether it is older than the version in use, or than the one that left its settings or data. */
  readonly isOlder: boolean;
  /** Whether the settings of the app store refuse it, because they want a known publisher. */
  readonly isRefused: boolean;
}

/** A plugin of the index, in the newest version that fits this server. */
export interface IndexedPlugin {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  /** Bytes of the archive, as the index says. */
  readonly bytes?: number;
  /** The version that is in use here. */
  readonly installed?: string;
  readonly isUpdate: boolean;
}

/** What the index offers; without a list where no address is set. */
export interface PluginIndexAnswer {
  readonly address?: string;
  readonly list: readonly IndexedPlugin[];
  /** Entries of the index that cannot be read or fit no server like this one. */
  readonly passedOver: number;
}

/** What is wrong with a plugin that somebody works on, each mistake with its file and line. */
export interface DevelopmentMistake {
  readonly id: string;
  readonly mistakes: string;
}

/** What the live event `objects` calls what is wrong with plugins that people work on. */
export const mistakesObjectKind = 'development-mistakes';

/** The kinds of tasks of the app store. */
export const changeKinds = {
  install: 'sys-app-store.install',
  use: 'sys-app-store.use',
  remove: 'sys-app-store.remove',
} as const;

/** What tasks of the app store are called, in words that the page translates. */
const changeWords = {
  install: 'Installation of {{plugin}}',
  use: 'Change to {{plugin}}',
  remove: 'Removal of {{plugin}}',
} as const;

/** The title of a task. @param plugin its name, and the version that it is about */
export function changeTitle(kind: keyof typeof changeKinds, plugin: string): string {
  return changeWords[kind].replace('{{plugin}}', () => plugin);
}

/** What the title of a task says, to be said in another language; undefined for one that is no such title. */
export function readChangeTitle(
  kind: string,
  title: string,
): { readonly words: string; readonly plugin: string } | undefined {
  for (const [of, words] of Object.entries(changeWords)) {
    const start = words.replace('{{plugin}}', '');
    if (changeKinds[of as keyof typeof changeKinds] === kind && title.startsWith(start))
      return { words, plugin: title.slice(start.length) };
  }
  return undefined;
}

/** What a task of the app store is at, in words that the page translates. */
export const stepWords = {
  columns: 'Changing columns',
  check: 'Looking whether it may be',
  place: 'Moving files',
  start: 'Starting and stopping plugins',
  tidy: 'Tidying up',
} as const;

/** Installs a plugin, puts another version into use or removes one; tells every super admin how far it is. */
export interface StoreTask extends TaskEntity {
  /** Whether it can still be ended so that everything is as before; what it does to columns stays. */
  readonly can_stop: boolean;
}

export interface StoreTaskList {
  /** What is under way, and what failed within the last hour. */
  readonly list: readonly StoreTask[];
}

/** A column that could not be changed, and why. */
export interface ColumnFailure {
  readonly column: string;
  readonly reason: string;
}

/** What plugins hold in memory; without `held` where nobody measures. */
export interface HeldMemoryAnswer {
  readonly held?: { readonly at: string; readonly bytes: Readonly<Record<string, number>> };
}

/** Memory of the server, in bytes: all plugins and the server itself share it. */
export interface ServerMemory {
  /** What JavaScript holds now, what nobody needs any more included. */
  readonly used: number;
  /** What JavaScript may hold; more ends the server. */
  readonly limit: number;
  /** What the system has given to the whole process. */
  readonly process: number;
}
