import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, waitFor } from '@testing-library/react';
import { createMemoryHost } from '@trellis/sdk/testing/web';
import { languageOfBrowser } from '../i18n/language-of-browser.ts';
import { createWebRegistries, type Command } from '@trellis/sdk/web';
import { isEmbedded } from '../store/local-mirror.ts';
import { Translations } from '../i18n/translations.ts';
import { listenForCommands, matchesKeys } from '../shell/keyboard.ts';
import { isChunkFailure, reloadForNewParts } from '../contain/reload-once.ts';
import { ToastCenter } from '../feedback/toast-center.ts';

describe('keys of commands', () => {
  test.each([
    ['mod+k', { key: 'k', ctrlKey: true }, false, true],
    ['mod+k', { key: 'k', metaKey: true }, true, true],
    ['mod+k', { key: 'k', ctrlKey: true, shiftKey: true }, false, false],
    ['mod+,', { key: ',', ctrlKey: true }, false, true],
    ['alt+shift+d', { key: 'Î', code: 'KeyD', altKey: true, shiftKey: true }, true, true],
    ['alt+shift+d', { key: 'd', code: 'KeyD' }, false, false],
    ['?', { key: '?', shiftKey: true }, false, true],
    // On a German keyboard Y and Z have changed places.
    ['mod+y', { key: 'y', code: 'KeyZ', ctrlKey: true }, false, true],
    ['mod+z', { key: 'y', code: 'KeyZ', ctrlKey: true }, false, false],
    ['mod+z', { key: 'я', code: 'KeyZ', ctrlKey: true }, false, true],
    // On a Thai keyboard a vowel, and on an Arabic one two letters.
    ['mod+y', { key: '\u0E31', code: 'KeyY', ctrlKey: true }, false, true],
    ['mod+b', { key: 'لا', code: 'KeyB', ctrlKey: true }, false, true],
    ['mod+/', { key: '/', ctrlKey: true, shiftKey: true }, false, true],
  ])('%s and %o on a Mac (%s) match: %s', (keys, init, mac, expected) => {
    expect(matchesKeys(keys, new KeyboardEvent('keydown', init), mac)).toBe(expected);
  });

  test('that write or edit text are left to the field that has the focus, and others are not', () => {
    const run = jest.fn<Command['run']>();
    const { host } = createMemoryHost({
      registries: { commands: [{ id: 'x', label: 'X', keys: ['?', 'mod+z', 'mod+k'], run }] },
    });
    const listener = listenForCommands(host);
    const field = document.body.appendChild(document.createElement('input'));
    fireEvent.keyDown(field, { key: '?', shiftKey: true });
    fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
    fireEvent.keyDown(field, { key: 'я', code: 'KeyZ', ctrlKey: true });
    expect(run).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: 'k', ctrlKey: true });
    fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    expect(run).toHaveBeenCalledTimes(2);
    field.remove();
    void listener.dispose();
  });

  test('are not taken for pressed where a browser fills in a field', () => {
    const listener = listenForCommands(createMemoryHost().host);
    const failed = jest.fn();
    window.addEventListener('error', failed);
    const field = document.body.appendChild(document.createElement('input'));
    fireEvent(field, new Event('keydown', { bubbles: true }));
    expect(failed).not.toHaveBeenCalled();
    window.removeEventListener('error', failed);
    field.remove();
    void listener.dispose();
  });

  test('are left to a dialog that is open, and to the browser', () => {
    const run = jest.fn<Command['run']>();
    const { host } = createMemoryHost({
      registries: { commands: [{ id: 'find', label: 'Find', keys: 'mod+f', run }] },
    });
    const listener = listenForCommands(host);
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('aria-modal', 'true');
    const isLeft = fireEvent.keyDown(dialog, { key: 'f', ctrlKey: true });
    const isLeftBeside = fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true });
    expect([isLeft, isLeftBeside, run.mock.calls.length]).toEqual([true, true, 0]);
    dialog.remove();
    expect(fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true })).toBe(false);
    expect(run).toHaveBeenCalledTimes(1);
    void listener.dispose();
  });

  test('that a part of the page hears itself are left to it', () => {
    const run = jest.fn<Command['run']>();
    const { host } = createMemoryHost({
      registries: { commands: [{ id: 'x', label: 'X', keys: 'mod+d', keysIn: 'Grid', run }] },
    });
    const listener = listenForCommands(host);
    fireEvent.keyDown(document.body, { key: 'd', ctrlKey: true });
    expect(run).not.toHaveBeenCalled();
    void listener.dispose();
  });

  test('run their command, whose failure is reported under its id', async () => {
    const failing: Command = {
      id: 'fail',
      label: 'Fail',
      keys: 'alt+x',
      run: () => Promise.reject(new Error('no')),
    };
    const { host, reports } = createMemoryHost({ registries: { commands: [failing] } });
    const listener = listenForCommands(host);
    fireEvent.keyDown(document, { key: 'x', altKey: true });
    void listener.dispose();
    const source = { registry: 'commands', id: 'fail' };
    await waitFor(() =>
      expect(reports).toEqual([{ source, where: 'run() of fail', error: new Error('no') }]),
    );
  });
});

describe('new parts of the page', () => {
  const storage = () => ({ ...memory(), clear: () => undefined, key: () => null, length: 0 });
  function memory() {
    const values = new Map<string, string>();
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
  }

  test('are fetched by a reload, at most once a minute', () => {
    const reload = jest.fn();
    const kept = storage();
    const now = 1_000_000;
    expect(reloadForNewParts(kept, reload, now)).toBe(true);
    expect(reloadForNewParts(kept, reload, now + 59_000)).toBe(false);
    expect(reloadForNewParts(kept, reload, now + 60_000)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test('are known by the words of each browser', () => {
    expect(isChunkFailure(new Error('Failed to fetch dynamically imported module: /a.js'))).toBe(true);
    expect(isChunkFailure(new Error('Importing a module script failed.'))).toBe(true);
    expect(isChunkFailure(new Error('x is undefined'))).toBe(false);
  });
});

describe('an embedded page', () => {
  const top = {} as Window;
  const page = (hash: string, search = '', framed = false, pathname = '/') => ({
    location: { hash, search, pathname } as Location,
    self: top as Window & typeof globalThis,
    top: framed ? ({} as Window) : top,
  });

  test('is one that is framed or says embed', () => {
    expect(isEmbedded(page('#/nc/base/x'))).toBe(false);
    expect(isEmbedded(page('#/nc/base/x', '', true))).toBe(true);
    expect(isEmbedded(page('#/nc/base/x', '?embed'))).toBe(true);
    expect(isEmbedded(page('#/nc/base/x?embed=1'))).toBe(true);
    expect(isEmbedded(page('', '', false, '/embed/nc/view/x'))).toBe(true);
  });
});

describe('toasts', () => {
  test('go after their time, and a repeated one stays single', () => {
    const timers: { readonly after: number; run(): void }[] = [];
    const center = new ToastCenter({
      now: () => 0,
      after: (after, run) => {
        timers.push({ after, run });
        return () => undefined;
      },
    });
    center.show({ severity: 'info', summary: 'Copied' });
    center.show({ severity: 'info', summary: 'Copied', life: 2000 });
    expect(center.list()).toHaveLength(1);
    expect(timers.map(({ after }) => after)).toEqual([3000, 2000]);
    timers[0]?.run();
    expect(center.list()).toHaveLength(1);
    timers[1]?.run();
    expect(center.list()).toEqual([]);
    // There is more to read of an error, and of a detail.
    center.show({ severity: 'error', summary: 'Not copied' });
    center.show({ severity: 'success', summary: 'Copied', detail: 'To the clipboard' });
    expect(timers.slice(2).map(({ after }) => after)).toEqual([8000, 8000]);
  });
});

test('a toast takes the place of what was said of the same subject before', () => {
  const center = new ToastCenter({ now: () => 0, after: () => () => undefined });
  const life = 12_000;
  center.show({
    severity: 'success',
    summary: 'Stars is installed',
    detail: 'It is off.',
    life,
    subject: 'stars',
  });
  center.show({ severity: 'success', summary: 'Moon is off', subject: 'moon' });
  center.show({ severity: 'info', summary: 'Copied' });
  center.show({ severity: 'info', summary: 'Pasted' });
  center.show({ severity: 'success', summary: 'Stars is on', subject: 'stars' });
  expect(center.list().map(({ summary }) => summary)).toEqual([
    'Moon is off',
    'Copied',
    'Pasted',
    'Stars is on',
  ]);
});

describe('too many toasts', () => {
  test('are those that only pass by: what offers something, or holds a text for long, waits for its time', () => {
    const center = new ToastCenter({ now: () => 0, after: () => () => undefined });
    const shown = () => center.list().map(({ summary }) => summary);
    center.show({ severity: 'warn', summary: 'Typed', detail: 'A long text', life: 15_000 });
    center.show({ severity: 'success', summary: 'Deleted', action: { label: 'Undo', run: () => undefined } });
    for (const summary of ['One', 'Two', 'Three', 'Four']) center.show({ severity: 'info', summary });
    expect(shown()).toEqual(['Typed', 'Deleted', 'Two', 'Three', 'Four']);
    for (const summary of ['A', 'B', 'C', 'D'])
      center.show({ severity: 'warn', summary, detail: 'Typed as well', life: 15_000 });
    expect(shown()).toEqual(['Typed', 'Deleted', 'A', 'B', 'C', 'D']);
    center.show({ severity: 'info', summary: 'Five' });
    expect(shown()).toEqual(['Typed', 'Deleted', 'A', 'B', 'C', 'D', 'Five']);
  });
});

describe('texts', () => {
  afterEach(() => {
    document.documentElement.removeAttribute('lang');
    document.documentElement.removeAttribute('dir');
  });

  /** The page's texts, and what was asked for of them. */
  function createTexts() {
    const locales = createWebRegistries().get('locales');
    const asked: string[] = [];
    const failed: string[] = [];
    const texts = new Translations(locales, (_error, owner) => failed.push(owner));
    const add = (owner: string, locale: string, messages: Readonly<Record<string, string>>) =>
      texts.addMessages(owner, locale, () => {
        asked.push(`${owner} ${locale}`);
        return Promise.resolve({ default: messages });
      });
    /** Chooses a language and waits for its texts. */
    const choose = async (language: string) => {
      texts.setLanguage(language);
      await new Promise(process.nextTick);
    };
    return { locales, texts, asked, failed, add, choose };
  }

  test.each([
    [['fr-CA', 'de-AT', 'en'], 'de'],
    [['zh-cn'], 'zh_CN'],
    [['pt'], 'en'],
    [[], 'en'],
  ])('are in the first language of the browser %p that the page has', (languages, language) => {
    const { locales } = createTexts();
    for (const id of ['en', 'de', 'zh_CN']) locales.register({ id, label: id }, 'host');
    jest.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
    expect(languageOfBrowser(locales)).toBe(language);
  });

  test('are English until a language is chosen, and fall back to zh_CN and then to English', async () => {
    const { texts, asked, add, choose } = createTexts();
    expect(texts.translate('Hello {{name}}', { name: '<Ada>' })).toBe('Hello <Ada>');
    add('tables', 'zh_CN', { Save: '保存', Cancel: '取消' });
    const german = add('tables', 'de', { Save: 'Sichern' });
    add('tables', 'fr', { Save: 'Enregistrer' });
    expect([texts.translate('Save'), asked]).toEqual(['Save', []]);
    const before = texts.translate;
    await choose('de');
    expect(asked).toEqual(['tables zh_CN', 'tables de']);
    expect(texts.translate).not.toBe(before);
    expect(['Save', 'Cancel', 'Delete: all'].map((text) => texts.translate(text))).toEqual([
      'Sichern',
      '取消',
      'Delete: all',
    ]);
    void german.dispose();
    expect(texts.translate('Save')).toBe('保存');
    expect(document.documentElement.lang).toBe('de');
  });

  test('count with the forms that a language has', async () => {
    const { texts, add, choose } = createTexts();
    const rows = (count: number) => texts.translate('{{count}} rows', { count, one: '{{count}} row' });
    expect([0, 1, 2].map(rows)).toEqual(['0 rows', '1 row', '2 rows']);
    add('grid', 'pl', {
      '{{count}} rows_one': '{{count}} wiersz',
      '{{count}} rows_few': '{{count}} wiersze',
      '{{count}} rows_many': '{{count}} wierszy',
    });
    await choose('pl');
    expect([1, 3, 5].map(rows)).toEqual(['1 wiersz', '3 wiersze', '5 wierszy']);
  });

  test('say what an error means by its code, or else in the words of the server', async () => {
    const { texts, add, choose } = createTexts();
    const text = (code: string) => texts.ofError(code, { table: 'Orders' }, 'No such table');
    add('tables', 'de', { 'error.TABLE_NOT_FOUND': 'Die Tabelle {{table}} gibt es nicht' });
    expect(text('TABLE_NOT_FOUND')).toBe('No such table');
    await choose('de');
    expect(text('TABLE_NOT_FOUND')).toBe('Die Tabelle Orders gibt es nicht');
    expect(text('TABLE_IS_LOCKED')).toBe('No such table');
  });

  test('say what is wrong within an error by a code of its own, with its values', async () => {
    const { texts, add, choose } = createTexts();
    const params = { column: 'Preis', problem: 'has at most 4 digits', problemCode: 'DIGITS', most: 4 };
    const text = () => texts.ofError('REFUSED', params, "'Preis' has at most 4 digits.");
    add('host', 'de', {
      'error.REFUSED': '„{{column}}“ {{problem}}.',
      'error.DIGITS': 'darf höchstens {{most}} Ziffern haben',
    });
    expect(text()).toBe("'Preis' has at most 4 digits.");
    await choose('de');
    expect(text()).toBe('„Preis“ darf höchstens 4 Ziffern haben.');
  });

  test('say what a validator refuses in words for people, in place of those that clients of the API know', async () => {
    const { texts, add, choose } = createTexts();
    const params = { column: 'Post', validator: 'isEmail', problem: 'must be an e-mail address' };
    const msg = 'Validation failed : isEmail (Post)';
    const text = () => [
      texts.ofError('VALUE_INVALID', params, msg),
      texts.ofError('VALUE_INVALID_IN_ROW', { ...params, row: 3 }, `Row 3: ${msg}`),
    ];
    expect(text()).toEqual(['“Post” must be an e-mail address.', 'Row 3: “Post” must be an e-mail address.']);
    expect(texts.ofError('VALUE_INVALID', { column: 'Post', validator: 'isEmail' }, msg)).toBe(msg);
    add('host', 'de', {
      'error.VALUE_REFUSED': '„{{column}}“ {{problem}}.',
      'error.VALUE_REFUSED_IN_ROW': 'Zeile {{row}}: „{{column}}“ {{problem}}.',
      'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
    });
    await choose('de');
    expect(text()).toEqual([
      '„Post“ muss eine E-Mail-Adresse sein.',
      'Zeile 3: „Post“ muss eine E-Mail-Adresse sein.',
    ]);
  });

  test('call a field by its name in this language within an error', async () => {
    const { texts, add, choose } = createTexts();
    const params = {
      column: 'Preis',
      problem: 'No',
      problemCode: 'OPTION_MOST',
      setting: 'Places',
      limit: 4,
    };
    add('host', 'de', {
      'error.REFUSED': 'Spalte „{{column}}“: {{problem}}',
      'error.OPTION_MOST': '„{{setting}}“ darf höchstens {{limit}} sein.',
      Places: 'Nachkommastellen',
    });
    await choose('de');
    expect(texts.ofError('REFUSED', params, 'No')).toBe(
      'Spalte „Preis“: „Nachkommastellen“ darf höchstens 4 sein.',
    );
  });

  test('say what a column type refuses by its text and its own params, whatever they are called', async () => {
    const { texts, add, choose } = createTexts();
    const params = {
      column: 'Sterne',
      problem: 'must be in column B from 0 to 5',
      problemMessage: 'must be in column {{column}} from 0 to {{max}}',
      problemParams: { column: 'B', max: 5 },
    };
    add('host', 'de', { 'error.REFUSED': '„{{column}}“ {{problem}}.' });
    add('stars', 'de', { [params.problemMessage]: 'muss in Spalte {{column}} von 0 bis {{max}} sein' });
    await choose('de');
    expect(texts.ofError('REFUSED', params, 'No')).toBe('„Sterne“ muss in Spalte B von 0 bis 5 sein.');
    expect(texts.ofError('REFUSED', { ...params, problemMessage: 'is odd', problemParams: null }, 'No')).toBe(
      '„Sterne“ is odd.',
    );
  });

  test('of two plugins that mean different things by one word are their own, and nobody changes those of the host', async () => {
    const { texts, add, choose } = createTexts();
    add('calendar', 'de', { On: 'Weiter', Stacks: 'Stapel' });
    add('host', 'de', { Cancel: 'Abbrechen', On: 'Ein', 'error.TABLE_NOT_FOUND': 'Keine Tabelle' });
    add('store', 'de', { On: 'Eingeschaltet' });
    add('intruder', 'de', { Cancel: 'Geld senden', 'error.TABLE_NOT_FOUND': 'Ruf an' });
    await choose('de');
    const { t, sharedT } = texts.textsOf('calendar');
    expect([t('On'), sharedT('On'), t('Cancel')]).toEqual(['Weiter', 'Ein', 'Abbrechen']);
    expect(texts.textsOf('store').t('On')).toBe('Eingeschaltet');
    // What another plugin calls its own is drawn elsewhere too.
    expect(texts.textsOf('store').t('Stacks')).toBe('Stapel');
    expect(['On', 'Cancel'].map((text) => texts.translate(text))).toEqual(['Ein', 'Abbrechen']);
    expect(texts.ofError('TABLE_NOT_FOUND', {}, 'No such table')).toBe('Keine Tabelle');
    const intruder = texts.textsOf('intruder');
    expect([intruder.t('Cancel'), intruder.sharedT('Cancel')]).toEqual(['Geld senden', 'Abbrechen']);
  });

  test('turn the page round for a language that is read from right to left', async () => {
    const { locales, choose } = createTexts();
    locales.register({ id: 'he', label: 'עברית', dir: 'rtl' }, 'locale-he');
    await choose('he');
    expect(document.documentElement.dir).toBe('rtl');
    await choose('en');
    expect(document.documentElement.dir).toBe('ltr');
  });

  test('that cannot be loaded leave the page with those that it has', async () => {
    const { texts, failed, add, choose } = createTexts();
    texts.addMessages('broken', 'de', () => Promise.reject(new Error('gone')));
    add('tables', 'de', { Save: 'Sichern' });
    await choose('de');
    expect([texts.translate('Save'), failed]).toEqual(['Sichern', ['broken']]);
  });
});
