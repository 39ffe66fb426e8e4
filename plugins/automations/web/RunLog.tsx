import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfRefusal, useAttempt, useHost } from '@trellis/sdk/web';
import { Empty, ErrorNotice, LogPages, Notice, PageHead, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState } from 'react';
import type {
  AutomationEntity,
  RunAttemptEntity,
  RunDetail,
  RunEntity,
  RunStepEntity,
} from '../shared/index.ts';
import { automationPath, automationsTag, useRun, useRuns } from './automation-requests.ts';
import { timeText } from './run-words.ts';
import { Told } from './Told.tsx';
import { useRunTitle } from './use-run-title.ts';
import { useStepLabel } from './use-step-label.ts';

const atOnce = 25;

interface RunLogProps {
  readonly project: ProjectEntity;
  readonly automation: AutomationEntity;
  /** The id of the run that is open at first. */
  readonly openRun?: string | undefined;
  readonly onBack: () => void;
}

/** The runs of an automation, the newest first, each with its steps. */
export function RunLog({ project, automation, openRun, onBack }: RunLogProps) {
  const { t } = useHost();
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useRuns(project, automation, offset, atOnce);
  // It may be on a later page by now, or in the log no more.
  const wanted = useRun(project, automation, openRun).data;
  const isBeside = offset === 0 && data?.list.some(({ id }) => id === openRun) === false;
  const list = [...(isBeside && wanted !== undefined ? [wanted] : []), ...(data?.list ?? [])];
  return (
    <section className="tr-page">
      <PageHead title={t('Log of {{automation}}', { automation: automation.title })} onBack={onBack} />
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={48} count={4} />}
      {data?.list.length === 0 && (
        <Empty
          icon="history"
          title={t('It has not run yet')}
          text={t('Each run stands here with what each step was given, what came of it and what went wrong.')}
        />
      )}
      <ul className="automations-list" aria-label={t('Log')}>
        {list.map((run) => (
          <RunItem
            key={run.id}
            project={project}
            automation={automation}
            run={run}
            isWanted={run.id === openRun}
          />
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

interface RunItemProps extends Pick<RunLogProps, 'project' | 'automation'> {
  readonly run: RunEntity;
  /** Whether somebody was led to it. */
  readonly isWanted: boolean;
}

function RunItem({ project, automation, run, isWanted }: RunItemProps) {
  const { t, api, invalidate } = useHost();
  const [isOpen, setOpen] = useState(isWanted);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isWanted) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isWanted]);
  const { data, error, refetch } = useRun(project, automation, isOpen ? run.id : undefined);
  const { isBusy, problem, attempt } = useAttempt();
  const labelOf = useStepLabel(project);

  async function again() {
    const path = `${automationPath(automation)}/runs/${encodeURIComponent(run.id)}/retry`;
    await attempt(() => api.request({ method: 'POST', path, body: {} }));
    invalidate([automationsTag(project)]);
  }

  const { trigger, titleOf } = useRunTitle(project, automation);

  /** What a press makes of the run: a step that waits by itself is told from one that is tried again later. */
  const offer =
    run.state === 'failed'
      ? t('Try again from the step that failed')
      : run.state !== 'waiting' || run.next_at === null
        ? undefined
        : run.error === null
          ? t('Go on without waiting')
          : t('Try now');

  return (
    <li ref={place}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Sign state={run.state} />
          <span className="automations-name">
            <strong dir="auto">{titleOf(run)}</strong>
            <small>
              {run.row_id !== '' && `${trigger} · `}
              {timeText(run.created_at)} · {t('version {{version}}', { version: run.version })}
              {run.next_at !== null && ` · ${t('goes on {{time}}', { time: timeText(run.next_at) })}`}
            </small>
            {run.error !== null && (
              <small className="automations-problem">{messageOfRefusal(run.error, t)}</small>
            )}
          </span>
        </summary>
        {error !== undefined && data === undefined && (
          <ErrorNotice message={error.message} onRetry={refetch} />
        )}
        {isOpen && error === undefined && data === undefined && <Skeleton height={40} count={2} />}
        {data !== undefined && <Told label={t('What started it')} value={startOf(data)} />}
        {data !== undefined && (
          <ol className="automations-steps">
            {data.steps.map((step) => (
              <StepItem key={step.id} step={step} label={labelOf(step)} />
            ))}
          </ol>
        )}
        {problem !== undefined && <Notice severity="error">{problem}</Notice>}
        {offer !== undefined && hasPermission('automationSet', project) && (
          <WorkButton isBusy={isBusy} onClick={() => void again()}>
            <i className="pi pi-replay" aria-hidden="true" /> {offer}
          </WorkButton>
        )}
      </details>
    </li>
  );
}

function StepItem({ step, label }: { readonly step: RunStepEntity; readonly label: string }) {
  const { t } = useHost();
  return (
    <li>
      <p className="automations-step-head">
        <Sign state={step.state} /> <strong>{label}</strong>
        {step.duration_ms !== null && <small>{t('{{time}} ms', { time: step.duration_ms })}</small>}
      </p>
      {step.error !== null && <p className="automations-problem">{messageOfRefusal(step.error, t)}</p>}
      <Told label={t('What it was given')} value={step.input} />
      <Told label={t('Result')} value={step.output} />
      {step.attempts.length > 0 && <Attempts attempts={step.attempts} />}
      {step.items.length > 0 && (
        <details open={step.items.some(({ state }) => state === 'failed')}>
          <summary>{t('Row by row')}</summary>
          <ol className="automations-steps">
            {step.items.map((of) => (
              <li key={of.item}>
                <p className="automations-step-head">
                  <Sign state={of.state} /> <strong>{t('Turn {{at}}', { at: of.item + 1 })}</strong>
                  {of.duration_ms !== null && <small>{t('{{time}} ms', { time: of.duration_ms })}</small>}
                </p>
                {of.error !== null && <p className="automations-problem">{messageOfRefusal(of.error, t)}</p>}
                <Told label={t('What it was given')} value={of.input} />
                <Told label={t('Result')} value={of.output} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/** What a step came to before it was tried again, the newest first. */
function Attempts({ attempts }: { readonly attempts: readonly RunAttemptEntity[] }) {
  const { t } = useHost();
  return (
    <details>
      <summary>{t('{{count}} earlier tries', { count: attempts.length, one: 'one earlier try' })}</summary>
      <ol className="automations-steps" aria-label={t('Earlier tries')}>
        {attempts.toReversed().map((of) => (
          <li key={of.started_at}>
            <p className="automations-step-head">
              <Sign state={of.state} /> <strong>{timeText(of.started_at)}</strong>
              {of.duration_ms !== null && <small>{t('{{time}} ms', { time: of.duration_ms })}</small>}
            </p>
            {of.error !== null && <p className="automations-problem">{messageOfRefusal(of.error, t)}</p>}
            {of.state === 'cut-off' && (
              <p className="automations-problem">{t('The server ended in the middle of it.')}</p>
            )}
            <Told label={t('What it was given')} value={of.input} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Sign({ state }: { readonly state: RunEntity['state'] | RunAttemptEntity['state'] }) {
  const { t } = useHost();
  const [icon, label] = {
    done: ['check-circle', t('Done')],
    running: ['spinner', t('Is running')],
    waiting: ['clock', t('Waits')],
    failed: ['times-circle', t('Failed')],
    skipped: ['minus-circle', t('Not started')],
    'cut-off': ['ban', t('Cut off')],
  }[state];
  return <i className={`pi pi-${icon} automations-sign`} data-state={state} role="img" aria-label={label} />;
}

/** What started a run, without the row before the change where there was none. */
function startOf({ trigger }: RunDetail): unknown {
  if (typeof trigger !== 'object' || trigger === null || !('previous' in trigger)) return trigger;
  const { previous, ...others } = trigger;
  return previous === null ? others : trigger;
}
