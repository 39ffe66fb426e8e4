import { afterEach, describe, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { closePage, entry, openPage } from '../testing/app-page.tsx';
import { signedInServer } from '../testing/signed-in-server.ts';

afterEach(closePage);

describe('dialogs', () => {
  test('ask and resolve to the answer', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    const answers: boolean[] = [];
    const ask = () =>
      act(() => {
        const question = {
          title: 'Delete?',
          message: 'Gone.',
          confirmLabel: 'Delete',
          typeToConfirm: 'Orders',
        };
        void host.confirms.ask(question).then((answer) => answers.push(answer));
      });
    ask();
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(answers).toEqual([]);
    await userEvent.type(screen.getByRole('textbox'), 'Orders');
    await userEvent.click(button);
    await waitFor(() => expect(answers).toEqual([true]));
    ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(answers).toEqual([true, false]));
  });

  test('begin at the answer that changes nothing, unless the other one is what the person came for', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    const ask = (isExpected: boolean) =>
      act(() => {
        const question = { title: 'Add a column?', message: 'The view needs it.', confirmLabel: 'Add it' };
        void host.confirms.ask({ ...question, isExpected });
      });
    ask(false);
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    expect(document.activeElement).toBe(cancel);
    await userEvent.click(cancel);
    ask(true);
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Add it' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  });

  test('have a third answer where there is one by which nothing is lost, which Enter gives', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    const answers: boolean[] = [];
    let saved = false;
    const ask = () =>
      act(() => {
        const question = {
          title: 'Throw the changes away?',
          message: 'They are not saved.',
          confirmLabel: 'Throw away',
          danger: true,
          instead: { label: 'Save and go on', run: () => Promise.resolve(saved) },
        };
        void host.confirms.ask(question).then((answer) => answers.push(answer));
      });
    for (const isSaved of [true, false]) {
      saved = isSaved;
      ask();
      expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Save and go on' }));
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(answers.at(-1)).toBe(isSaved));
      expect(screen.queryByRole('dialog')).toBeNull();
    }
    ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Throw away' }));
    ask();
    await screen.findByRole('button', { name: 'Throw away' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(answers).toEqual([true, false, true, false]));
  });

  test('another language is chosen in the account menu: texts, plurals and errors, and the document says so', async () => {
    const refusal = { code: 'TOO_MANY_TRIES', msg: 'Too many tries.', params: { seconds: 5 } };
    const { host } = await openPage(
      signedInServer([entry('pages')]).on('GET /api/v1/tries', { status: 429, data: refusal }),
    );
    await userEvent.click(await screen.findByRole('button', { name: /Account of/ }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Deutsch' }));
    const account = await screen.findByRole('button', { name: 'Konto von Ada Lovelace' });
    expect(document.documentElement.lang).toBe('de');
    const { translate } = host.translations;
    const selected = (count: number) =>
      translate('{{count}} rows selected', { count, one: '{{count}} row selected' });
    expect([selected(1), selected(2)]).toEqual(['1 Zeile ausgewählt', '2 Zeilen ausgewählt']);
    await expect(host.api.request({ path: '/api/v1/tries' })).rejects.toThrow(/in 5 Sekunden/);
    await userEvent.click(account);
    await userEvent.click(screen.getByRole('menuitem', { name: 'English' }));
    await screen.findByRole('button', { name: 'Account of Ada Lovelace' });
    expect(document.documentElement.lang).toBe('en');
  });

  test("settings hold a theme of one's own: seven colours, each of which the page takes at once", async () => {
    await openPage(signedInServer([entry('pages')]));
    await userEvent.keyboard('{Control>},{/Control}');
    await userEvent.click(await screen.findByRole('radio', { name: 'Custom' }));
    const tokens = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'danger'];
    const labels = ['Primary', 'Secondary', 'Accent', 'Info', 'Success', 'Warning', 'Error'];
    expect(document.querySelectorAll('input[type=color]')).toHaveLength(7);
    const { style } = document.documentElement;
    for (const [at, label] of labels.entries()) {
      const colour = `#1234${at}6`;
      fireEvent.change(screen.getByLabelText(label), { target: { value: colour } });
      expect(style.getPropertyValue(`--trellis-${tokens[at]}`)).toBe(colour);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Back to the default colours' }));
    expect(tokens.map((token) => style.getPropertyValue(`--trellis-${token}`))).toEqual(tokens.map(() => ''));
  });

  test('settings open by their shortcut and switch to dark', async () => {
    await openPage(signedInServer([entry('pages')]));
    await userEvent.keyboard('{Control>},{/Control}');
    await userEvent.click(await screen.findByRole('switch', { name: /Dark mode/ }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await userEvent.keyboard('{Alt>}{Shift>}d{/Shift}{/Alt}');
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
