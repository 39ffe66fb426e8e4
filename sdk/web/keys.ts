import type { Command } from './extensions/index.ts';

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

const onMac: Readonly<Record<string, string>> = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' };
const elsewhere: Readonly<Record<string, string>> = { mod: 'Ctrl' };
const keyNames: Readonly<Record<string, string>> = {
  arrowdown: '↓',
  arrowup: '↑',
  arrowleft: '←',
  arrowright: '→',
  escape: 'Esc',
  delete: 'Del',
};

/** The keys of a command, the one that is shown first. @public */
export function keysOf({ keys }: Pick<Command, 'keys'>): readonly string[] {
  return keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;
}

/** `mod+shift+k` as a keyboard has it: `Ctrl+Shift+K`, or `⌘⇧K` on a Mac. @public */
export function keysText(keys: string, mac: boolean = isMac()): string {
  const names = mac ? onMac : elsewhere;
  return keys
    .split('+')
    .map((key) => names[key] ?? keyNames[key] ?? `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`)
    .join(mac ? '' : '+');
}
