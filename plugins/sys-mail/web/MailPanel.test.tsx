import { afterEach, describe, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { MailAnswer, MailSenderEntity } from '../shared/index.ts';
import MailPanel from './MailPanel.tsx';

const plugin = { id: 'app-postmark', name: 'Postmark' } as PluginEntity;
const postmark: MailSenderEntity = {
  id: 'postmark',
  label: 'Postmark',
  plugin_id: 'app-postmark',
  is_ready: true,
  is_default: false,
};
const smtp: MailSenderEntity = {
  ...postmark,
  id: 'smtp',
  label: 'SMTP',
  plugin_id: 'app-smtp',
  is_default: true,
};

function show(answer: Partial<MailAnswer> = {}) {
  const memory = renderWithHost(<MailPanel plugin={plugin} />, {
    api: {
      'GET /api/v1/mail': {
        list: [smtp, postmark],
        waiting: 0,
        needs_address: false,
        problem: null,
        ...answer,
      },
      'PUT /api/v1/mail/default': {},
      'POST /api/v1/mail/trial': { to: 'boss@example.com' },
    },
  });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('what sends mail, on the card of its plugin', () => {
  test('is chosen there, and sends a mail to whoever tries it', async () => {
    const { user, requests } = show();
    const panel = within(await screen.findByRole('region', { name: 'Mails by Postmark' }));
    expect(panel.getByText('Set up, but mails go out by another one')).not.toBeNull();
    await user.click(panel.getByRole('button', { name: 'Send mails by this' }));
    await user.click(panel.getByRole('button', { name: 'Send me a mail' }));
    await waitFor(() =>
      expect(
        requests
          .filter(({ method }) => method !== 'GET')
          .map(({ method, path, body }) => [method, path, body]),
      ).toEqual([
        ['PUT', '/api/v1/mail/default', { sender: 'postmark' }],
        ['POST', '/api/v1/mail/trial', { sender: 'postmark' }],
      ]),
    );
  });

  test('says that mails with links need the address of this site, and leads to where it is set', async () => {
    const { user, visited } = show({ needs_address: true });
    cleanup();
    const at = renderWithHost(<MailPanel plugin={{ ...plugin, id: 'app-smtp' }} />, {
      api: () => ({ list: [smtp], waiting: 0, needs_address: true, problem: null }),
    });
    expect(await screen.findByText(/the address of this site is not set/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Set the address' }));
    expect([...visited, ...at.visited]).toEqual(['/app-store?settings=sys-mail']);
  });

  test('says what waits and why, where mails go out by it', async () => {
    const problem = {
      code: 'MAIL_SERVICE_KEY',
      msg: 'Postmark does not accept the key.',
      params: { service: 'Postmark', status: 401 },
      at: '2026-11-23T00:00:00.000Z',
    };
    show({ list: [{ ...postmark, is_default: true }], waiting: 2, problem });
    const panel = within(await screen.findByRole('region', { name: 'Mails by Postmark' }));
    expect(panel.getByText('2 mails wait to be sent')).not.toBeNull();
    expect(panel.getByText(/Postmark does not accept the key/)).not.toBeNull();
    expect(panel.queryByRole('button', { name: 'Send mails by this' })).toBeNull();
  });

  test('asks for its settings while they are not filled in', async () => {
    show({ list: [{ ...postmark, is_ready: false }] });
    expect(await screen.findByText('Fill in the settings to send mail with it.')).not.toBeNull();
  });
});
