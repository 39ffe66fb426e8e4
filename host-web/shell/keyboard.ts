import { toDisposable, type Disposable } from '@trellis/core';
import { isOffered, runContribution, type WebHost } from '@trellis/sdk/web';

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** Whether a key press is the one that a command asks for (`mod+shift+k`; `mod` is Cmd on a Mac and Ctrl elsewhere). */
export function matchesKeys(keys: string, event: KeyboardEvent, mac: boolean = isMac): boolean {
  const parts = keys.toLowerCase().split('+');
  const key = parts.pop();
  const wanted = new Set(parts.map((part) => (part === 'mod' ? (mac ? 'meta' : 'ctrl') : part)));
  return (
    // The physical key, because Alt changes what a key writes.
    (event.key.toLowerCase() === key || event.code.toLowerCase() === `key${key}`) &&
    event.ctrlKey === wanted.has('ctrl') &&
    event.metaKey === wanted.has('meta') &&
    event.altKey === wanted.has('alt') &&
    event.shiftKey === wanted.has('shift')
  );
}

/** Runs commands by their keys until disposed. */
export function listenForCommands(host: WebHost): Disposable {
  const listener = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { context } = host.shell;
    const command = host
      .registry('commands')
      .list()
      .find(
        (item) =>
          item.keys !== undefined &&
          matchesKeys(item.keys, event) &&
          isOffered(host, 'commands', item, context),
      );
    if (command === undefined) return;
    event.preventDefault();
    void runContribution(host, 'commands', command, context);
  };
  document.addEventListener('keydown', listener);
  return toDisposable(() => document.removeEventListener('keydown', listener));
}
