import type { PluginAsks } from '@trellis/sdk/shared';
import type { Translate } from '@trellis/sdk/web';

interface Word {
  readonly label: string;
}

/** What people are asked about, by kind. */
export const askTerms: Readonly<Record<keyof PluginAsks, Word>> = {
  halves: { label: 'Runs' },
  hooks: { label: 'Can change or refuse' },
  paths: { label: 'Addresses of the product' },
  hosts: { label: 'Hosts that it calls' },
  permissions: { label: 'Asks for' },
  tables: { label: 'Tables of its own' },
};

/** What people call the items of some kinds; the others are shown as they are written. */
const itemWords: Partial<Record<keyof PluginAsks, Readonly<Record<string, Word>>>> = {
  halves: {
    server: { label: 'in the server' },
    web: { label: 'in the browser of everybody' },
  },
  hosts: { '*': { label: 'any host' } },
  hooks: {
    'rows.willCreate': { label: 'new rows' },
    'rows.willUpdate': { label: 'changes of rows' },
    'rows.willDelete': { label: 'deletions of rows' },
    'tables.willCreate': { label: 'new tables' },
    'tables.willDelete': { label: 'deletions of tables' },
    'columns.willCreate': { label: 'new columns' },
    'columns.willDelete': { label: 'deletions of columns' },
    'views.willTell': { label: 'what people are told of views' },
    'files.willPut': { label: 'where files are kept' },
    'mail.willSend': { label: 'how mail is sent' },
    'plugins.willEnable': { label: 'switching plugins on' },
    'plugins.willDisable': { label: 'switching plugins off' },
    'api.willSend': { label: 'headers of requests of everybody’s page' },
  },
};

/** Kinds of which people are told in words, whatever their items are. */
const inWords: readonly (keyof PluginAsks)[] = ['halves', 'hooks'];

/** Whether items of a kind are written in words, and not as they are typed. */
export function isInWords(kind: keyof PluginAsks, items: readonly string[]): boolean {
  return inWords.includes(kind) || items.every((item) => itemWords[kind]?.[item] !== undefined);
}

/** What a plugin asks for of one kind, in a line; empty where that is nothing. */
export function askedText(t: Translate, kind: keyof PluginAsks, items: readonly string[]): string {
  return items
    .map((item) => {
      const word = itemWords[kind]?.[item];
      return word === undefined ? item : t(word.label);
    })
    .join(', ');
}

/** A part of a plugin that failed too often: of a hook, what it decides, and how its author knows it. */
export function partText(t: Translate, part: string): string {
  const [, hook = ''] = /^tap on (\S+)$/.exec(part) ?? [];
  const word = itemWords.hooks?.[hook];
  return word === undefined ? part : `${t(word.label)} (${part})`;
}
