import type { HostActions } from '../host.tsx';
import type { Offer, ShellContext } from './shell.ts';

/**
 * Something that a person can do from anywhere: by its keys, or by its name in the command palette. Where it is not offered, its keys
 * do not run it.
 * @public
 */
export interface Command extends Offer<ShellContext> {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /**
   * `mod+k`: Ctrl, or Cmd on a Mac. Of several, the first one is shown. Keys that write or edit text (`?`, `mod+z`) are a text
   * field's own while it has the focus. While a dialog is open, they are the dialog's.
   */
  readonly keys?: string | readonly string[];
  /** Who hears the keys while it has the focus, in words: "Grid". Default: the page, wherever the focus is. */
  readonly keysIn?: string;
  /** Whether its keys run it also while a dialog is open, since it touches nothing there: another theme. Default: no. */
  readonly inDialogs?: boolean;
  /** The heading that it stands under in the palette. Default `Commands`. */
  readonly category?: string;
  readonly order?: number;
  run(context: ShellContext, actions: HostActions): void | Promise<void>;
}

/** One thing that was found by its name. @public */
export interface SearchResult {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /** Where it is: the project of a table. */
  readonly detail?: string;
  open(actions: HostActions): void;
}

/** Things that the command palette finds by name: tables, views, projects. @public */
export interface SearchSource extends Offer<ShellContext> {
  readonly id: string;
  /** The heading over what it finds. */
  readonly label: string;
  readonly order?: number;
  /** Everything that can be found, at most a few hundred; the palette narrows it by what is typed. */
  list(
    context: ShellContext,
    actions: HostActions & { readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
  /**
   * What is too much to be listed and holds the text, at most a few dozen. Called while somebody types, a moment after the last key;
   * the signal aborts when they type on. The results stand below those of `list`.
   */
  find?(
    text: string,
    context: ShellContext,
    actions: HostActions & { readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
}
