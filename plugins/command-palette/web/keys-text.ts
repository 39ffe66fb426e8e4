const isMac = /mac|iphone|ipad/i.test(navigator.platform);

const onMac: Readonly<Record<string, string>> = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' };
const elsewhere: Readonly<Record<string, string>> = { mod: 'Ctrl' };

/** `mod+shift+k` as a keyboard has it: `Ctrl+Shift+K`, or `⌘⇧K` on a Mac. */
export function keysText(keys: string, mac: boolean = isMac): string {
  const names = mac ? onMac : elsewhere;
  return keys
    .split('+')
    .map((key) => names[key] ?? `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`)
    .join(mac ? '' : '+');
}
