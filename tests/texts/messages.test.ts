import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { messageFiles, messagesText, readMessages } from './message-files.ts';
import { textOwners, type TextOwner } from './text-owners.ts';

const root = join(import.meta.dirname, '../..');
const locales = ['de'];
const owners = textOwners(root);

/** Languages are called what they call themselves. */
const names = ['English', 'Deutsch'];

/** Texts that come from the server: the roles of a project. */
const ofTheServer = ['owner', 'creator', 'editor', 'commenter', 'viewer'];

function messagesIn(folder: string, locale: string): Readonly<Record<string, string>> {
  return readMessages(join(folder, `${locale}.json`));
}

const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();

/** The keys that a language needs of an owner. */
function neededKeys({ texts, errors, audited }: TextOwner, locale: string): readonly string[] {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  return [
    ...texts
      .filter(({ text }) => !names.includes(text))
      .flatMap(({ text, counts }) => (counts ? forms.map((form) => `${text}_${form}`) : [text])),
    ...errors.map(({ code }) => `error.${code}`),
    ...audited,
  ];
}

describe('the errors of the server', () => {
  const defined = owners.flatMap(({ errors }) => errors);

  test('stand in catalogues, which the page translates', () => {
    const known = new Set(defined.map(({ code }) => code));
    expect(owners.flatMap(({ byHand }) => byHand).filter((code) => !known.has(code))).toEqual([]);
  });

  test('say one thing by one code', () => {
    const messageOf = new Map(defined.map(({ code, message }) => [code, message]));
    const ambiguous = defined.filter(({ code, message }) => messageOf.get(code) !== message);
    expect(ambiguous.map(({ code }) => code)).toEqual([]);
  });
});

describe('the texts of the page', () => {
  test('that count say how they read for one thing', () => {
    const wrong = owners.flatMap(({ texts }) =>
      texts.filter(({ counts, one }) => counts && one === undefined),
    );
    expect(wrong).toEqual([]);
  });

  test.each(messageFiles())('are sorted by key in %s, each once: npm run format sorts them', (file) => {
    expect(readFileSync(file, 'utf8')).toBe(messagesText(readMessages(file)));
  });

  describe.each(locales)('in %s', (locale) => {
    const ofHost = messagesIn(join(root, 'host-web/i18n/messages'), locale);

    test.each(owners.map((owner) => [owner.id, owner] as const))('are complete for %s', (_id, owner) => {
      const messages = { ...ofHost, ...messagesIn(owner.folder, locale) };
      expect(neededKeys(owner, locale).filter((key) => !Object.hasOwn(messages, key))).toEqual([]);
    });

    test('hold nothing that nobody shows', () => {
      const needed = new Set([...owners.flatMap((owner) => neededKeys(owner, locale)), ...ofTheServer]);
      const stale = owners.flatMap(({ folder }) =>
        Object.keys(messagesIn(folder, locale)).filter((key) => !needed.has(key)),
      );
      expect(stale).toEqual([]);
    });

    test('keep what is filled in', () => {
      const messages = owners.flatMap(({ folder }) => Object.entries(messagesIn(folder, locale)));
      const paramsOf = new Map(
        owners.flatMap(({ errors }) => errors.map(({ code, params }) => [`error.${code}`, params])),
      );
      const wrong = messages.filter(([key, text]) => {
        const known = paramsOf.get(key);
        if (known !== undefined) return placeholders(text).some((name) => !known.includes(name));
        return String(placeholders(key)) !== String(placeholders(text)) && !key.endsWith('_one');
      });
      expect(wrong).toEqual([]);
    });
  });
});
