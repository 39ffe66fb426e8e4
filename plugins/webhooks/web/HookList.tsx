import type { RequestTemplate, TableEntity } from '@trellis/sdk/shared';
import { messageOfError, messageOfRefusal, useHost, type Translate, type ApiRequest } from '@trellis/sdk/web';
import { Empty, ErrorNotice, MenuButton, Skeleton, Switch } from '@trellis/sdk/web/ui';
import {
  mailType,
  unjudgedCodes,
  type HookEntity,
  type HookNotification,
  type HookOperation,
} from '../shared/index.ts';
import { hookPath, hooksTag, hookTag, useHooks } from './hook-requests.ts';
import { timeText } from './time-text.ts';

/** The words for what happens to a row. */
export const operationLabels: Readonly<Record<HookOperation, string>> = {
  insert: 'A row is added',
  update: 'A row is changed',
  delete: 'A row is deleted',
};

/** Characters of the title of a webhook that its copy takes over: a title may have 255. */
const longestCopied = 230;

function isUnjudged({ paused_code: code }: HookEntity): boolean {
  return code !== null && unjudgedCodes.has(code);
}

interface HookListProps {
  readonly table: TableEntity;
  /** The id of the webhook to which the keys go, such as the one to which somebody was led. */
  readonly named?: string | undefined;
  readonly onEdit: (hook: HookEntity | undefined) => void;
  readonly onLog: (hook: HookEntity) => void;
}

/** All webhooks of a table, each with its switch. */
export function HookList({ table, named, onEdit, onLog }: HookListProps) {
  const { t, api, invalidate, confirm, toast } = useHost();
  const { data, error, refetch } = useHooks(table);

  async function send(hook: HookEntity, request: ApiRequest, failed: string) {
    try {
      await api.request(request);
    } catch (failure) {
      toast({ severity: 'error', summary: failed, detail: messageOfError(failure, t) });
    }
    invalidate([hooksTag(table), hookTag(hook)]);
  }

  const change = (hook: HookEntity, active: boolean) =>
    send(
      hook,
      { method: 'PATCH', path: hookPath(hook), body: { active } },
      t('The webhook could not be switched'),
    );

  function duplicate(hook: HookEntity): Promise<void> {
    const taken = new Set(data?.list.map(({ title }) => title));
    const base = t('{{title}} copy', { title: hook.title.slice(0, longestCopied) });
    let title = base;
    for (let count = 2; taken.has(title); count += 1) title = `${base} ${count}`;
    return send(
      hook,
      {
        method: 'POST',
        path: `${hookPath(hook)}/duplicate`,
        body: { title },
        once: { copyOf: hook.id, title },
      },
      t('The webhook could not be duplicated'),
    );
  }

  async function remove(hook: HookEntity) {
    const isMeant = await confirm({
      title: t('Delete this webhook?'),
      message: t('Nobody is told by {{webhook}} any more, and its log goes with it.', {
        webhook: hook.title,
      }),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isMeant)
      await send(hook, { method: 'DELETE', path: hookPath(hook) }, t('The webhook could not be deleted'));
  }

  async function drop(hook: HookEntity) {
    const isMeant = await confirm({
      title: t('Drop what waits?'),
      message: t('What waits for {{webhook}} is never told, also when it goes on.', { webhook: hook.title }),
      confirmLabel: t('Drop it'),
      danger: true,
    });
    if (isMeant)
      await send(
        hook,
        { method: 'POST', path: `${hookPath(hook)}/deliveries/drop`, body: {} },
        t('What waits could not be dropped'),
      );
  }

  if (error !== undefined && data === undefined)
    return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={56} count={3} />;
  const add = (
    <button type="button" className="tr-button tr-button--primary" onClick={() => onEdit(undefined)}>
      <i className="pi pi-plus" aria-hidden="true" /> {t('New webhook')}
    </button>
  );
  if (data.list.length === 0)
    return (
      <Empty
        icon="send"
        title={t('No webhooks yet')}
        text={t('A webhook calls an address of yours when a row is added, changed or deleted.')}
      >
        {add}
      </Empty>
    );
  return (
    <>
      <ul className="webhooks-list" aria-label={t('Webhooks')}>
        {data.list.map((hook) => (
          <li key={hook.id} aria-current={hook.id === named || undefined}>
            <Switch
              label={t('Switch {{webhook}} on or off', { webhook: hook.title })}
              checked={hook.active && hook.paused === null}
              onChange={(active) => void change(hook, active)}
            />
            <button
              type="button"
              className="webhooks-name"
              ref={hook.id === named ? focusOnce : undefined}
              onClick={() => onEdit(hook)}
            >
              <strong>{hook.title}</strong>
              <small>
                {t(operationLabels[hook.operation])} · {targetOf(hook, t)}
              </small>
              {!hook.active && (
                <small>
                  <i className="pi pi-minus-circle" aria-hidden="true" />{' '}
                  {t('Off: changes that are made meanwhile are never told.')}
                </small>
              )}
              {hook.active && hook.is_channel_off && (
                <small className="webhooks-paused">
                  <i className="pi pi-pause-circle" aria-hidden="true" />{' '}
                  {isByMail(hook)
                    ? t(
                        'Waits: this server cannot send mail yet. A plugin for mail must be switched on and set up.',
                      )
                    : t('Waits: its channel is switched off.')}
                </small>
              )}
              {hook.paused !== null && (
                <small className="webhooks-paused">
                  <i className="pi pi-pause-circle" aria-hidden="true" />{' '}
                  {isUnjudged(hook) || hook.paused_code === 'HOOK_VALUE_GONE'
                    ? t('Paused: {{reason}}', { reason: reasonOf(hook, t) })
                    : t('Paused: {{reason}} What happens meanwhile waits.', { reason: reasonOf(hook, t) })}
                </small>
              )}
              {hook.failing !== null && (
                <small className="webhooks-paused">
                  <i className="pi pi-exclamation-triangle" aria-hidden="true" /> {failureOf(hook.failing, t)}
                </small>
              )}
              {hook.dropped > 0 && (
                <small className="webhooks-paused">
                  {isUnjudged(hook)
                    ? t('{{count}} changes since then were not kept.', {
                        count: hook.dropped,
                        one: 'One change since then was not kept.',
                      })
                    : t('So much waits that {{count}} more were not kept.', {
                        count: hook.dropped,
                        one: 'So much waits that one more was not kept.',
                      })}
                </small>
              )}
            </button>
            <MenuButton
              label={t('What to do with {{webhook}}', { webhook: hook.title })}
              actions={[
                { id: 'edit', label: t('Change'), icon: 'pencil', run: () => onEdit(hook) },
                { id: 'log', label: t('Log'), icon: 'history', run: () => onLog(hook) },
                { id: 'duplicate', label: t('Duplicate'), icon: 'clone', run: () => void duplicate(hook) },
                ...(hook.paused === null && !hook.is_channel_off
                  ? []
                  : [
                      {
                        id: 'drop',
                        label: t('Drop what waits'),
                        icon: 'eraser',
                        run: () => void drop(hook),
                      },
                    ]),
                {
                  id: 'remove',
                  label: t('Delete'),
                  icon: 'trash',
                  danger: true,
                  run: () => void remove(hook),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      <footer className="webhooks-foot">{add}</footer>
    </>
  );
}

/** A module's own function: React calls it once for an element. */
function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Why a webhook is paused, in the words of the page where it has some. */
function reasonOf({ paused, paused_code: code }: HookEntity, t: Translate): string {
  return messageOfRefusal({ msg: paused ?? '', ...(code !== null && { code }) }, t);
}

/** That the last messages did not arrive, and what came of the last one. */
function failureOf({ at, status, error }: NonNullable<HookEntity['failing']>, t: Translate): string {
  const time = timeText(at);
  return status === null
    ? t('Fails: {{reason}} ({{time}})', { reason: error, time })
    : t('Fails: the last answer was {{status}} ({{time}})', { status, time });
}

function isByMail({ notification }: HookEntity): boolean {
  return (JSON.parse(notification) as HookNotification).type === mailType;
}

/** Whom a webhook tells, in a few words. */
function targetOf({ notification }: HookEntity, t: Translate): string {
  const { type, payload } = JSON.parse(notification) as HookNotification;
  if (type === 'URL') return (payload as unknown as RequestTemplate).path;
  return type === mailType ? t('A mail') : type;
}
