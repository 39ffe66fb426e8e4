import type { PluginProposal } from '@trellis/sdk/shared';

/** A proposal, with what the self-hoster knows of whoever signed it. */
export interface OfferedProposal extends PluginProposal {
  /** The name that the self-hoster gave to the key; absent for a key that nobody knows. */
  readonly publisher?: string;
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
