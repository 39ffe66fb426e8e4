import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent } from '@testing-library/react';
import { createWebRegistries, type Command } from '@trellis/sdk/web';
import { isEmbedded } from '../store/local-mirror.ts';
import { Translations } from '../i18n/translations.ts';
import { listenForCommands, matchesKeys } from './keyboard.ts';
import { isChunkFailure, reloadForNewParts } from './reload-once.ts';
import { ToastCenter } from './toast-center.ts';

describe('keys of commands', () => {
  test.each([
    ['mod+k', { key: 'k', ctrlKey: true }, false, true],
    ['mod+k', { key: 'k', metaKey: true }, true, true],
    ['mod+k', { key: 'k', ctrlKey: true, shiftKey: true }, false, false],
    ['mod+,', { key: ',', ctrlKey: true }, false, true],
    ['alt+shift+d', { key: 'Î', code: 'KeyD', altKey: true, shiftKey: true }, true, true],
    ['alt+shift+d', { key: 'd', code: 'KeyD' }, false, false],
  ])('%s and %o on a Mac (%s) match: %s', (keys, init, mac, expected) => {
    expect(matchesKeys(keys, new KeyboardEvent('keydown', init), mac)).toBe(expected);
  });

  test('run their command, whose failure is reported under its id', async () => {
    const commands = createWebRegistries().get('commands');
    const failing: Command = {
      id: 'fail',
      label: 'Fail',
      keys: 'alt+x',
      run: () => Promise.reject(new Error('no')),
    };
    commands.register(failing, 'test');
    const reported = new Promise((resolve) => {
      const listener = listenForCommands(commands, (id, error) => resolve([id, error]));
      fireEvent.keyDown(document, { key: 'x', altKey: true });
      void listener.dispose();
    });
    expect(await reported).toEqual(['fail', new Error('no')]);
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
  const page = (hash: string, search = '', framed = false) => ({
    location: { hash, search } as Location,
    self: top as Window & typeof globalThis,
    top: framed ? ({} as Window) : top,
  });

  test('is one that is framed or says embed', () => {
    expect(isEmbedded(page('#/nc/base/x'))).toBe(false);
    expect(isEmbedded(page('#/nc/base/x', '', true))).toBe(true);
    expect(isEmbedded(page('#/nc/base/x', '?embed'))).toBe(true);
    expect(isEmbedded(page('#/nc/base/x?embed=1'))).toBe(true);
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
  });
});

describe('texts', () => {
  afterEach(() => document.documentElement.removeAttribute('lang'));

  test('are English until a language is chosen, and fall back to zh_CN and then to English', () => {
    const locales = createWebRegistries().get('locales');
    const texts = new Translations(locales);
    expect(texts.translate('Hello {{name}}', { name: '<Ada>' })).toBe('Hello <Ada>');
    const chinese = { id: 'zh_CN', label: '中文', messages: { Save: '保存', Cancel: '取消' } };
    locales.register(chinese, 'locale-zh');
    expect(texts.translate('Save')).toBe('Save');
    const german = locales.register(
      { id: 'de', label: 'Deutsch', messages: { Save: 'Sichern' } },
      'locale-de',
    );
    const before = texts.translate;
    texts.setLanguage('de');
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
});
