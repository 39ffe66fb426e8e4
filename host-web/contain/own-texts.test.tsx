import { afterEach, expect, test } from '@jest/globals';
import { systemClock } from '@trellis/core';
import { Contribution, runContribution, useContributions, useHost, useT } from '@trellis/sdk/web';
import { Form } from '@trellis/sdk/web/ui';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createWebHost } from '../app/create-web-host.ts';
import { HostProvider } from '../app/HostProvider.tsx';
import { LocalMirror } from '../store/local-mirror.ts';

/** A word of the plugin's own, and a part of the SDK that has words of its own. */
function Item() {
  const t = useT();
  return (
    <>
      <p>{t('On')}</p>
      <Form submitLabel="Go" isBusy={false} onSubmit={() => undefined} onCancel={() => undefined}>
        {null}
      </Form>
    </>
  );
}

function Items() {
  const host = useHost();
  const items = useContributions('shellItems').map(({ id, Component }) => (
    <section key={id} aria-label={id}>
      <Contribution registry="shellItems" id={id}>
        <Component />
      </Contribution>
    </section>
  ));
  const commands = useContributions('commands').map((command) => (
    <button
      key={command.id}
      onClick={() => void runContribution(host, 'commands', command, host.shell.context)}
    >
      {command.id}
    </button>
  ));
  return [...items, ...commands];
}

afterEach(cleanup);

test('what a plugin draws and runs has its own words, and the parts in it those of the host', async () => {
  const host = createWebHost({ mirror: new LocalMirror(undefined), embedded: true, clock: systemClock });
  const said: string[] = [];
  for (const id of ['calendar', 'store']) {
    host.registries.get('shellItems').register({ id, slot: 'overlays', Component: Item }, id);
    const run = (_context: unknown, { t }: { t(text: string): string }) => void said.push(t('On'));
    host.registries.get('commands').register({ id: `run ${id}`, label: 'Run', run }, id);
  }
  const add = (owner: string, messages: Readonly<Record<string, string>>) =>
    host.translations.addMessages(owner, 'de', () => Promise.resolve({ default: messages }));
  add('host', { Cancel: 'Abbrechen', On: 'An' });
  add('calendar', { On: 'Weiter', Cancel: 'Geld senden' });
  add('store', { On: 'Ein' });
  render(
    <HostProvider parts={host}>
      <Items />
    </HostProvider>,
  );
  act(() => host.translations.setLanguage('de'));
  await waitFor(() => screen.getByText('Weiter'));
  expect(screen.getByRole('region', { name: 'calendar' }).textContent).toBe('WeiterAbbrechenGo');
  expect(screen.getByRole('region', { name: 'store' }).textContent).toBe('EinAbbrechenGo');
  await userEvent.click(screen.getByRole('button', { name: 'run calendar' }));
  await userEvent.click(screen.getByRole('button', { name: 'run store' }));
  expect(said).toEqual(['Weiter', 'Ein']);
  expect(host.translations.textsOf('calendar').t('Cancel')).toBe('Geld senden');
});
