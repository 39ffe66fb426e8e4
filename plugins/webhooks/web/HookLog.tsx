import { messageOfRefusal, useAttempt, useHost, useRefreshWhile, type Translate } from '@trellis/sdk/web';
import { Empty, ErrorNotice, LogPages, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { DeliveryEntity, HookEntity, TryEntity } from '../shared/index.ts';
import { hookPath, hookTag, useDeliveries } from './hook-requests.ts';
import { operationLabels } from './HookList.tsx';
import { AnswerNote, RequestText } from './HookTry.tsx';
import { ReplayStretch, type Chosen } from './ReplayStretch.tsx';
import { timeText } from './time-text.ts';

const atOnce = 25;

/** What became of the events of a webhook, and the way to send them again. */
export function HookLog({ hook, onBack }: { readonly hook: HookEntity; readonly onBack: () => void }) {
  const { t, api, invalidate, toast } = useHost();
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useDeliveries(hook, offset, atOnce);
  const { isBusy, problem, attempt } = useAttempt();
  const isGoing = hook.active && hook.paused === null && !hook.is_channel_off;
  useRefreshWhile(isGoing && data?.list.some(isUnderWay) === true, refetch);

  async function again(chosen: Chosen = {}) {
    const path = `${hookPath(hook)}/deliveries/replay`;
    await attempt(async () => {
      const { count } = await api.request<{ readonly count: number }>({ method: 'POST', path, body: chosen });
      toast(
        count === 0
          ? { severity: 'info', summary: t('There was nothing to send again') }
          : {
              severity: 'success',
              summary: t('{{count}} events are sent again', { count, one: 'One event is sent again' }),
            },
      );
    });
    invalidate([hookTag(hook)]);
  }

  return (
    <section className="webhooks-log">
      <header className="webhooks-foot">
        <button type="button" className="tr-button" onClick={onBack}>
          <i className="pi pi-arrow-left" aria-hidden="true" /> {t('Back')}
        </button>
        <span className="tr-gap" />
        <button type="button" className="tr-action" onClick={refetch}>
          <i className="pi pi-refresh" aria-hidden="true" /> {t('Read again')}
        </button>
        {data?.list.some(({ state }) => state === 'waiting' || state === 'failed') === true && (
          <WorkButton isBusy={isBusy} onClick={() => void again()}>
            {t('Send all that did not arrive')}
          </WorkButton>
        )}
      </header>
      {(data?.list.length ?? 0) > 0 && (
        <ReplayStretch isBusy={isBusy} onSend={(chosen) => void again(chosen)} />
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={48} count={4} />}
      {data?.list.length === 0 && (
        <Empty
          icon="history"
          title={t('Nothing was sent yet')}
          text={t('Each row of which the webhook tells stands here, for 30 days.')}
        />
      )}
      <ul className="webhooks-list" aria-label={t('Log')}>
        {data?.list.map((delivery) => (
          <li key={delivery.id}>
            <details>
              <summary>
                <Sign state={delivery.state} />
                <span className="webhooks-name">
                  <strong>
                    {t(delivery.by_hand ? 'Sent by hand' : operationLabels[delivery.operation])} ·{' '}
                    {!delivery.of_set && t('Row {{key}}', { key: delivery.row_id })}
                    {delivery.of_set && t('{{rows}} rows at once', { rows: delivery.rows })}
                    {delivery.rows > 1 && !delivery.of_set && (
                      <> {t('and {{others}} more', { others: delivery.rows - 1 })}</>
                    )}
                  </strong>
                  <small>{wordsOf(delivery, t)}</small>
                </span>
              </summary>
              {earlierOf(delivery).length > 0 && <TryList tries={earlierOf(delivery)} />}
              {delivery.tries.some(({ status }) => status !== null) && <AnswerNote />}
              {delivery.request !== null && <RequestText request={delivery.request} />}
              {delivery.state !== 'skipped' && (
                <WorkButton
                  className="tr-action"
                  isBusy={isBusy}
                  onClick={() => void again({ ids: [delivery.id] })}
                >
                  <i className="pi pi-replay" aria-hidden="true" />{' '}
                  {delivery.state === 'waiting' ? t('Try now') : t('Send again')}
                </WorkButton>
              )}
            </details>
          </li>
        ))}
      </ul>
      <LogPages
        offset={offset}
        shown={data?.list.length ?? 0}
        total={data?.pageInfo?.totalRows ?? 0}
        atOnce={atOnce}
        onTurn={setOffset}
      />
    </section>
  );
}

/** Whether a delivery is to be sent at once, for the first time or again. */
function isUnderWay({ state, attempts }: DeliveryEntity): boolean {
  return state === 'waiting' && attempts === 0;
}

/** Earlier tries, each with what was sent. */
function TryList({ tries }: { readonly tries: readonly TryEntity[] }) {
  const { t } = useHost();
  return (
    <ol className="webhooks-tries" aria-label={t('Earlier tries')}>
      {tries.map((one) => (
        <li key={one.tried_at}>
          <details>
            <summary>{[timeText(one.tried_at), ...answerOf(one, t)].join(' · ')}</summary>
            {one.request !== null && <RequestText request={one.request} />}
          </details>
        </li>
      ))}
    </ol>
  );
}

function Sign({ state }: Pick<DeliveryEntity, 'state'>) {
  const { t } = useHost();
  const [icon, label] = {
    done: ['check-circle', t('Arrived')],
    waiting: ['clock', t('Waits')],
    failed: ['times-circle', t('Given up')],
    skipped: ['minus-circle', t('Not sent')],
  }[state];
  return <i className={`pi pi-${icon} webhooks-sign`} data-state={state} role="img" aria-label={label} />;
}

/** What a try came to, in a few words. */
function answerOf({ status, error, duration_ms }: Omit<TryEntity, 'tried_at'>, t: Translate) {
  if (status !== null) return [t('answer {{status}} after {{time}} ms', { status, time: duration_ms ?? 0 })];
  return error === null ? [] : [error];
}

/** The tries before the one of which the line tells. */
function earlierOf(delivery: DeliveryEntity): readonly TryEntity[] {
  return isUnderWay(delivery) ? delivery.tries : delivery.tries.slice(0, -1);
}

/** How often it was tried, those tries among them after which somebody sent it again. */
function triesOf(delivery: DeliveryEntity, t: Translate): string {
  const count = Math.max(delivery.attempts, delivery.tries.length);
  if (count === 0) return t('not tried yet');
  if (isUnderWay(delivery)) return t('is sent again');
  return t('{{count}} tries', { count, one: 'one try' });
}

function wordsOf(delivery: DeliveryEntity, t: Translate): string {
  const { state, created_at, error, reason, next_at } = delivery;
  return [
    timeText(created_at),
    ...(reason === null ? [] : [messageOfRefusal({ msg: error ?? '', ...reason }, t)]),
    ...(state === 'skipped' ? [] : [triesOf(delivery, t)]),
    // What came of the try before it says nothing of this one.
    ...(reason === null && !isUnderWay(delivery) ? answerOf(delivery, t) : []),
    ...(next_at === null ? [] : [t('next try {{time}}', { time: timeText(next_at) })]),
  ].join(' · ');
}
