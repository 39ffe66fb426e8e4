import type { Translate } from './context.ts';
import type { Command } from './extensions/index.ts';

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

const onMac: Readonly<Record<string, string>> = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' };

/** Keyboards have them in the language of their country. */
function elsewhere(t: Translate): Readonly<Record<string, string>> {
  return { mod: t('Ctrl'), ctrl: t('Ctrl'), shift: t('Shift'), delete: t('Del') };
}

const keyNames: Readonly<Record<string, string>> = {
  arrowdown: '↓',
  arrowup: '↑',
  arrowleft: '←',
  arrowright: '→',
  escape: 'Esc',
  delete: '⌦',
};

/** The keys of a command, the one that is shown first. @public */
export function keysOf({ keys }: Pick<Command, 'keys'>): readonly string[] {
  return keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;
}

/**
 * The key of a press as shortcuts name it: what it writes, and where that is a letter of another alphabet, or made by Alt, the letter that
 * stands there on an English keyboard. Where Y and Z, or A and Q, have changed places, the letter on the key counts. A letter is as great
 * as Shift and Caps Lock make it.
 *
 * @public
 */
export function shortcutKey({ key, code, altKey }: Pick<KeyboardEvent, 'key' | 'code' | 'altKey'>): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const isPlain = /^[a-z0-9]$/i.test(key);
  // Not by letters alone: Thai keys write vowels, which are marks, and an Arabic key two letters. The names of keys are ASCII.
  const isForeign = altKey || /[^\p{ASCII}]/u.test(key);
  return letter !== undefined && !isPlain && isForeign ? letter.toLowerCase() : key;
}

/** `mod+shift+k` as a keyboard has it: `Ctrl+Shift+K`, in German `Strg+Umschalt+K`, or `⌘⇧K` on a Mac. @public */
export function keysText(keys: string, t: Translate, mac: boolean = isMac()): string {
  const names = mac ? onMac : elsewhere(t);
  return keys
    .split('+')
    .map((key) => names[key] ?? keyNames[key] ?? `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`)
    .join(mac ? '' : '+');
}
