import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  type ApiRequest,
  type ConfirmQuestion,
  hasPermission,
  messageOfError,
  messageOfRefusal,
  type Translate,
  useHost,
  useTables,
} from '@trellis/sdk/web';
import {
  Empty,
  ErrorNotice,
  MenuButton,
  momentWords,
  PageHead,
  Skeleton,
  Switch,
  timePlanWords,
} from '@trellis/sdk/web/ui';
import { timePlanOf, type AutomationEntity, type Stuck } from '../shared/index.ts';
import { automationPath, automationsTag, useAutomations, useKinds } from './automation-requests.ts';
import { timeText } from './run-words.ts';

/** Characters of a title that a copy keeps, so that there is room for what says that it is one. */
const longestCopied = 230;

interface AutomationListProps {
  readonly project: ProjectEntity;
  readonly onEdit: (automation: AutomationEntity | undefined) => void;
  readonly onOpen: (what: 'log' | 'versions', automation: AutomationEntity) => void;
}

/** All automations of a project, each with its switch and what it did last. */
export function AutomationList({ project, onEdit, onOpen }: AutomationListProps) {
  const { t, api, invalidate, confirm, toast } = useHost();
  const { data, error, refetch } = useAutomations(project);
  const kinds = useKinds(project).data;
  const tables = useTables(project.id).data?.list ?? [];
  const mayChange = hasPermission('automationSet', project);

  async function send(request: ApiRequest, failed: string) {
    try {
      await api.request(request);
    } catch (failure) {
      toast({ severity: 'error', summary: failed, detail: messageOfError(failure, t) });
    }
    invalidate([automationsTag(project)]);
  }

  /** Sends what cannot be undone once the person agreed to it. */
  async function sendIfMeant(question: ConfirmQuestion, request: ApiRequest, failed: string) {
    if (await confirm({ ...question, danger: true })) await send(request, failed);
  }

  function duplicate(automation: AutomationEntity): Promise<void> {
    const taken = new Set(data?.list.map(({ title }) => title));
    const base = t('{{title}} copy', { title: automation.title.slice(0, longestCopied) });
    let title = base;
    for (let count = 2; taken.has(title); count += 1) title = `${base} ${count}`;
    return send(
      {
        method: 'POST',
        path: `${automationPath(automation)}/duplicate`,
        body: { title },
        once: { copyOf: automation.id, title },
      },
      t('The automation could not be duplicated'),
    );
  }

  const remove = (automation: AutomationEntity) =>
    sendIfMeant(
      {
        title: t('Delete this automation?'),
        message: t('{{automation}} does nothing any more, and its log goes with it.', {
          automation: automation.title,
        }),
        confirmLabel: t('Delete'),
      },
      { method: 'DELETE', path: automationPath(automation) },
      t('The automation could not be deleted'),
    );

  const drop = (automation: AutomationEntity) =>
    sendIfMeant(
      {
        title: t('Drop what waits?'),
        message: t('What started {{automation}} and waits is never done, also when it goes on.', {
          automation: automation.title,
        }),
        confirmLabel: t('Drop it'),
      },
      { method: 'POST', path: `${automationPath(automation)}/runs/drop`, body: {} },
      t('What waits could not be dropped'),
    );

  /** When it starts, in a few words. */
  function whenOf({ trigger, next_runs: [next] }: AutomationEntity): string {
    const kind = kinds?.triggers.find(({ id }) => id === trigger.type);
    if (kind === undefined) return trigger.type;
    const table = tables.find(({ id }) => kind.table !== null && id === trigger.settings[kind.table]);
    const plan = timePlanOf(kind.inputs, trigger.settings);
    return [
      t(kind.label),
      ...(table === undefined ? [] : [table.title]),
      ...(plan === undefined ? [] : [timePlanWords(plan.cron, t), plan.time_zone]),
      ...(plan === undefined || next === undefined
        ? []
        : [t('Next: {{moment}}', { moment: momentWords(next, plan.time_zone) })]),
    ].join(' · ');
  }

  const add = mayChange && (
    <button type="button" className="tr-button tr-button--primary" onClick={() => onEdit(undefined)}>
      <i className="pi pi-plus" aria-hidden="true" /> {t('New automation')}
    </button>
  );
  return (
    <section className="tr-page">
      <PageHead
        title={t('Automations')}
        about={t('When this happens, then do that: also at night, and with a log of each run.')}
      >
        {data !== undefined && data.list.length > 0 && add}
      </PageHead>
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={64} count={3} />}
      {data?.list.length === 0 && (
        <Empty
          icon="bolt"
          title={t('No automations yet')}
          text={t(
            'For example: when a row is added to a table, create one in another table and tell somebody.',
          )}
        >
          {add}
        </Empty>
      )}
      <ul className="automations-list automations-rules" aria-label={t('Automations')}>
        {data?.list.map((automation) => (
          <li key={automation.id}>
            <button
              type="button"
              className="automations-name"
              onClick={() => (mayChange ? onEdit(automation) : onOpen('log', automation))}
            >
              <strong>{automation.title}</strong>
              <small>{whenOf(automation)}</small>
              {automation.steps.length === 0 && (
                <small>{t('It has no step yet, so it is switched off.')}</small>
              )}
              {automation.paused !== null && (
                <small className="automations-problem">
                  <i className="pi pi-pause-circle" aria-hidden="true" />{' '}
                  {t('Paused: {{reason}}', { reason: messageOfRefusal(automation.paused, t) })}
                </small>
              )}
              {automation.stuck !== null && automation.paused === null && (
                <small className="automations-problem">{stuckText(automation.stuck, t)}</small>
              )}
            </button>
            <button type="button" className="automations-last" onClick={() => onOpen('log', automation)}>
              <span>
                {automation.last_run === null
                  ? t('Has not run yet')
                  : t('Last run: {{time}}', { time: timeText(automation.last_run.at) })}
              </span>
              {automation.paused !== null && automation.waiting > 0 && (
                <span>{t('{{count}} wait', { count: automation.waiting, one: 'one waits' })}</span>
              )}
              {automation.dropped > 0 && (
                <span className="automations-problem">
                  {t('{{count}} more were not kept', {
                    count: automation.dropped,
                    one: 'one more was not kept',
                  })}
                </span>
              )}
              {automation.failures > 0 && (
                <span className="automations-problem">
                  {t('{{count}} failures', { count: automation.failures, one: 'one failure' })}
                </span>
              )}
            </button>
            <Switch
              label={t('Switch {{automation}} on or off', { automation: automation.title })}
              disabled={!mayChange}
              checked={automation.active && automation.paused === null}
              onChange={(active) =>
                void send(
                  { method: 'PATCH', path: automationPath(automation), body: { active } },
                  t('The automation could not be switched'),
                )
              }
            />
            <MenuButton
              label={t('What to do with {{automation}}', { automation: automation.title })}
              actions={[
                { id: 'log', label: t('Log'), icon: 'history', run: () => onOpen('log', automation) },
                ...(mayChange
                  ? [
                      { id: 'edit', label: t('Change'), icon: 'pencil', run: () => onEdit(automation) },
                      {
                        id: 'versions',
                        label: t('Versions'),
                        icon: 'clock',
                        run: () => onOpen('versions', automation),
                      },
                      {
                        id: 'duplicate',
                        label: t('Duplicate'),
                        icon: 'clone',
                        run: () => void duplicate(automation),
                      },
                      ...(automation.paused !== null && automation.waiting > 0
                        ? [
                            {
                              id: 'drop',
                              label: t('Drop what waits'),
                              icon: 'eraser',
                              run: () => void drop(automation),
                            },
                          ]
                        : []),
                      {
                        id: 'remove',
                        label: t('Delete'),
                        icon: 'trash',
                        danger: true,
                        run: () => void remove(automation),
                      },
                    ]
                  : []),
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What keeps runs back that have begun, or could. */
function stuckText({ count, reason }: Stuck, t: Translate): string {
  return t('{{count}} runs wait: {{reason}}', {
    count,
    one: 'One run waits: {{reason}}',
    reason: messageOfRefusal(reason, t),
  });
}
