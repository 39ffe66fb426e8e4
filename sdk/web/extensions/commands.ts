import type { HostActions } from '../host.tsx';
import type { Offer, ShellContext } from './shell.ts';

/**
 * An action that is available everywhere: by its keys, or by its name in the command palette. While it is not offered, its keys do
 * not run it.
 * @public
 */
export interface Command extends Offer<ShellContext> {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /**
   * `mod+k`: Ctrl, or Cmd on a Mac. Of several, the first one is displayed. Keys that write or edit text (`?`, `mod+z`) belong to a
   * focused text field. While a dialog is open, all keys belong to the dialog.
   */
  readonly keys?: string | readonly string[];
  /** The name of the part that must have the focus: "Grid". Default: the page, wherever the focus is. */
  readonly keysIn?: string;
  /**
   * Whether its keys also run it while a dialog is open, since it does not affect the dialog, such as another theme. Default: no.
   */
  readonly inDialogs?: boolean;
  /** Its heading in the palette. Default `Commands`. */
  readonly category?: string;
  readonly order?: number;
  run(context: ShellContext, actions: HostActions): void | Promise<void>;
}

/** A search result. @public */
export interface SearchResult {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /** Where it is, such as the project of a table. */
  readonly detail?: string;
  open(actions: HostActions): void;
}

/** Things that the command palette finds by name: tables, views, projects. @public */
export interface SearchSource extends Offer<ShellContext> {
  readonly id: string;
  /** The heading over its results. */
  readonly label: string;
  readonly order?: number;
  /** Everything that can be found, at most a few hundred; the palette filters it by the typed text. */
  list(
    context: ShellContext,
    actions: HostActions & { readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
  /**
   * Finds matches in what is too large to list, at most a few dozen. Called while somebody types, a moment after the last key; the
   * signal aborts when they continue to type. The results are shown below those of `list`.
   */
  find?(
    text: string,
    context: ShellContext,
    actions: HostActions & { readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
}
