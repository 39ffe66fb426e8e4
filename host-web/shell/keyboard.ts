import { toDisposable, type Disposable } from '@trellis/core';
import { isOffered, keysOf, runContribution, shortcutKey, type WebHost } from '@trellis/sdk/web';

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** Whether a key press matches a command's keys (`mod+shift+k`; `mod` is Cmd on a Mac and Ctrl elsewhere). */
export function matchesKeys(keys: string, event: KeyboardEvent, mac: boolean = isMac): boolean {
  const parts = keys.toLowerCase().split('+');
  const key = parts.pop();
  const wanted = new Set(parts.map((part) => (part === 'mod' ? (mac ? 'meta' : 'ctrl') : part)));
  // The keyboard layout decides whether a sign such as `?` needs Shift.
  const isSign = key !== undefined && key.length === 1 && !/[a-z0-9]/.test(key);
  return (
    (event.key.toLowerCase() === key || shortcutKey(event).toLowerCase() === key) &&
    event.ctrlKey === wanted.has('ctrl') &&
    event.metaKey === wanted.has('meta') &&
    event.altKey === wanted.has('alt') &&
    (isSign || event.shiftKey === wanted.has('shift'))
  );
}

/** The editing keys of text fields: select all, copy, cut, paste, undo, redo. */
const editingKeys = new Set(['a', 'c', 'x', 'v', 'y', 'z']);
const fieldsOfText =
  'textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

/** Whether the focused text field uses the key itself. */
function belongsToField(event: KeyboardEvent): boolean {
  if (!(event.target instanceof Element) || !event.target.matches(fieldsOfText)) return false;
  const writes = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  return (
    writes ||
    ((event.ctrlKey || event.metaKey) && !event.altKey && editingKeys.has(shortcutKey(event).toLowerCase()))
  );
}

/** While a modal element blocks the rest of the page, keys belong to it or to the browser. */
export const isCovered = (): boolean => document.querySelector('[aria-modal=true]') !== null;

/** Runs commands by their keys until disposed. */
export function listenForCommands(host: WebHost): Disposable {
  const listener = (event: Event) => {
    // Browsers that fill in a field fire a key event without a key.
    if (!(event instanceof KeyboardEvent)) return;
    if (event.defaultPrevented || event.isComposing || belongsToField(event)) return;
    const isDialogOpen = isCovered();
    const { context } = host.shell;
    const command = host
      .registry('commands')
      .list()
      .find(
        (item) =>
          item.keysIn === undefined &&
          (!isDialogOpen || item.inDialogs === true) &&
          keysOf(item).some((keys) => matchesKeys(keys, event)) &&
          isOffered(host, 'commands', item, context),
      );
    if (command === undefined) return;
    event.preventDefault();
    void runContribution(host, 'commands', command, context);
  };
  document.addEventListener('keydown', listener);
  return toDisposable(() => document.removeEventListener('keydown', listener));
}
