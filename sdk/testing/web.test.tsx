import { describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ProjectEntity } from '../shared/index.ts';
import { useHost, useRegistry, useServerData, useSession, useShell } from '../web/index.ts';
import { renderWithHost } from './web.tsx';

function Panel() {
  const host = useHost();
  const { data, error, isLoading } = useServerData<{ name: string }>({ path: '/api/x' }, { tags: ['x'] });
  const { user } = useSession();
  const { tabs } = useShell();
  const commands = useRegistry('commands');
  return (
    <main>
      <p>{isLoading ? 'loading' : (data?.name ?? error?.message)}</p>
      <p>{host.t('Hello {{name}}', { name: user?.email ?? 'guest' })}</p>
      <p>{`${commands.length} commands, ${tabs.length} tabs`}</p>
      <button onClick={() => host.shell.openTab({ type: 'table', key: '1', name: 'One' })}>open</button>
      <button onClick={() => host.invalidate(['x'])}>again</button>
      <button
        onClick={() =>
          void host
            .confirm({ title: 'Sure?', message: '', confirmLabel: 'Yes' })
            .then((yes) => host.toast({ severity: 'info', summary: yes ? 'done' : 'kept' }))
        }
      >
        ask
      </button>
    </main>
  );
}

describe('a component in a test', () => {
  test('finds a host: registries, a fake server, a session, tabs', async () => {
    let calls = 0;
    const { requests } = renderWithHost(<Panel />, {
      api: { 'GET /api/x': () => ({ name: `call ${(calls += 1)}` }) },
      registries: { commands: [{ id: 'c', label: 'C', run: () => undefined }] },
      user: { email: 'ada@example.com' },
      project: { id: 'p_1', title: 'Zoo' } as ProjectEntity,
    });
    expect(screen.getByText('loading')).toBeTruthy();
    expect(await screen.findByText('call 1')).toBeTruthy();
    expect(screen.getByText('Hello ada@example.com')).toBeTruthy();
    await userEvent.click(screen.getByText('open'));
    expect(screen.getByText('1 commands, 1 tabs')).toBeTruthy();
    await userEvent.click(screen.getByText('again'));
    expect(await screen.findByText('call 2')).toBeTruthy();
    expect(requests.map(({ path }) => path)).toEqual(['/api/x', '/api/x']);
  });

  test('is told which answer it forgot, and records questions and toasts', async () => {
    const { questions, toasts } = renderWithHost(<Panel />, { user: null, confirm: () => false });
    expect(
      await screen.findByText("The test has no answer for 'GET /api/x'; add one to 'api'."),
    ).toBeTruthy();
    expect(screen.getByText('Hello guest')).toBeTruthy();
    await userEvent.click(screen.getByText('ask'));
    expect(questions.map(({ title }) => title)).toEqual(['Sure?']);
    expect(toasts.map(({ summary }) => summary)).toEqual(['kept']);
  });
});
