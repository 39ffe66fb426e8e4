import { afterEach, describe, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, within } from '@testing-library/react';
import type { ChannelStateEntity } from '../shared/index.ts';
import ChannelPanel from './ChannelPanel.tsx';

const plugin = { id: 'channel-slack', name: 'Slack' } as PluginEntity;
const slack: ChannelStateEntity = {
  id: 'slack',
  label: 'Slack',
  plugin_id: 'channel-slack',
  is_ready: true,
  users: [
    { label: 'Webhooks', count: 3 },
    { label: 'Automations', count: 2 },
  ],
  paused: 1,
  arrived_at: '2026-01-02T03:04:05.000Z',
  failed_at: '2026-01-01T03:04:05.000Z',
  failure: 'no answer',
};

async function show(more: Partial<ChannelStateEntity> = {}) {
  const list = [
    { ...slack, ...more },
    { ...slack, id: 'discord', label: 'Discord', plugin_id: 'channel-discord' },
  ];
  renderWithHost(<ChannelPanel plugin={plugin} />, {
    api: { 'GET /api/v1/plugins/webhooks/channels': { list } },
  });
  return within(await screen.findByRole('region', { name: 'Messages by Slack' }));
}

afterEach(cleanup);

describe('a channel, on the card of its plugin', () => {
  test('says whether it is set up, how many webhooks and automations tell by it, and what became of their messages', async () => {
    const panel = await show();
    expect(panel.getByText(/Slack: set up · Webhooks: 3 · Automations: 2 · 1 webhook paused/)).toBeTruthy();
    expect(panel.getByText(/A message arrived last on/)).toBeTruthy();
    expect(panel.getByText(/One failed last on .*: no answer/)).toBeTruthy();
    expect(panel.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Messages by Discord' })).toBeNull();
  });

  test('raises its voice where the last message failed, and tells nothing of messages that there never were', async () => {
    const failing = await show({ failed_at: '2026-01-03T00:00:00.000Z', failure: 'channel gone' });
    expect(failing.getByText(/The last message failed, on .*: channel gone/)).toBeTruthy();
    cleanup();
    const fresh = await show({
      is_ready: false,
      users: [{ label: 'Webhooks', count: 0 }],
      paused: 0,
      arrived_at: null,
      failed_at: null,
    });
    expect(fresh.getByText(/Slack: not set up yet · Webhooks: 0/)).toBeTruthy();
    expect(fresh.queryByText(/last/)).toBeNull();
  });
});
