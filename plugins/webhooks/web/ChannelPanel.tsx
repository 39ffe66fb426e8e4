import { hostObjectKinds, type PluginEntity } from '@trellis/sdk/shared';
import { objectsTag, useServerData, useT } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, Skeleton } from '@trellis/sdk/web/ui';
import type { ChannelStateAnswer, ChannelStateEntity } from '../shared/index.ts';

const path = '/api/v1/plugins/webhooks/channels';
/** Whether a channel is set up changes with plugins and their settings. */
const tags = [objectsTag(hostObjectKinds.pluginSettings), 'plugins'];

/** On the card of a plugin with channels: whether each is set up, and the state of the webhooks' messages that it sends. */
export default function ChannelPanel({ plugin }: { readonly plugin: PluginEntity }) {
  // Messages are sent all the time without events for pages, so each opening reads the state again.
  const { data, error, refetch } = useServerData<ChannelStateAnswer>({ path }, { tags, isDraft: true });
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={40} />;
  const own = data.list.filter(({ plugin_id: id }) => id === plugin.id);
  return own.map((channel) => <ChannelState key={channel.id} channel={channel} />);
}

function ChannelState({ channel }: { readonly channel: ChannelStateEntity }) {
  const t = useT();
  const { label, users, paused, arrived_at: arrivedAt, failed_at: failedAt, failure } = channel;
  const failedLast = failedAt !== null && (arrivedAt === null || failedAt > arrivedAt);
  return (
    <section className="webhooks-channel" aria-label={t('Messages by {{channel}}', { channel: label })}>
      <p className="webhooks-channel-facts">
        <i className="pi pi-send" aria-hidden="true" />
        <span>
          {label}: {channel.is_ready ? t('set up') : t('not set up yet')}
          {users.map(({ label: user, count }) => ` · ${t(user)}: ${count}`)}
          {paused > 0 &&
            ` · ${t('{{count}} webhooks paused', { count: paused, one: '{{count}} webhook paused' })}`}
        </span>
      </p>
      {arrivedAt !== null && (
        <p className="tr-note">{t('A message arrived last on {{time}}', { time: shownTime(arrivedAt) })}</p>
      )}
      {failedAt !== null && !failedLast && (
        <p className="tr-note">
          {t('One failed last on {{time}}: {{reason}}', { time: shownTime(failedAt), reason: failure ?? '' })}
        </p>
      )}
      {failedLast && (
        <Notice severity="error">
          {t('The last message failed, on {{time}}: {{reason}}', {
            time: shownTime(failedAt),
            reason: failure ?? '',
          })}
        </Notice>
      )}
    </section>
  );
}

function shownTime(at: string): string {
  return new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  );
}
