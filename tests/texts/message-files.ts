import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every file of messages, by its path from the root of the repository, which is the folder that commands and tests run in. */
export function messageFiles(): readonly string[] {
  const plugins = readdirSync('plugins').flatMap((id) =>
    ['messages', 'web/messages'].map((folder) => join('plugins', id, folder)),
  );
  return ['host-web/i18n/messages', ...plugins]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
}

/** What a file of messages holds. */
export function readMessages(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/**
 * A file of messages as it is written: sorted by key (by code unit, as computers compare), each key once.
 *
 * New messages of several branches then rarely stand in the same place, and so rarely conflict.
 */
export function messagesText(messages: Readonly<Record<string, string>>): string {
  const sorted = Object.fromEntries(Object.entries(messages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, undefined, 2)}\n`;
}
