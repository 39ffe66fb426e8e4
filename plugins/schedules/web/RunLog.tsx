import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  messageOfError,
  messageOfRefusal,
  sizeText,
  useAttempt,
  useHost,
} from '@trellis/sdk/web';
import {
  Empty,
  ErrorNotice,
  LogPages,
  momentWords,
  Notice,
  pageLanguage,
  PageHead,
  Skeleton,
  timePlanWords,
  WorkButton,
} from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { RunEntity, ScheduleEntity } from '../shared/index.ts';
import { RestoreButton } from './RestoreButton.tsx';
import { RunSign } from './RunSign.tsx';
import { runPath, schedulePath, schedulesTag, useRuns } from './schedule-requests.ts';

const atOnce = 25;

/** A schedule's runs, newest first, and their actions. */
export function RunLog(props: {
  readonly project: ProjectEntity;
  readonly schedule: ScheduleEntity;
  readonly onEdit: () => void;
  readonly onBack: () => void;
}) {
  const { project, schedule, onEdit, onBack } = props;
  const { t, api, invalidate } = useHost();
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useRuns(project, schedule, atOnce, offset);
  const { isBusy, problem, attempt } = useAttempt();
  const mayRun = hasPermission('scheduleRun', project);

  async function post(path: string) {
    await attempt(() => api.request({ method: 'POST', path }));
    invalidate([schedulesTag(project)]);
  }

  return (
    <section className="tr-page">
      <PageHead
        title={schedule.title}
        about={
          <>
            {timePlanWords(schedule.cron, t)} · {schedule.time_zone}
            {schedule.owner !== '' && (
              <> · {t('with the rights of {{person}}', { person: schedule.owner })}</>
            )}
          </>
        }
        onBack={onBack}
      >
        <div className="schedules-buttons">
          {hasPermission('scheduleUpdate', project) && (
            <button type="button" className="tr-button" onClick={onEdit}>
              <i className="pi pi-pencil" aria-hidden="true" /> {t('Change')}
            </button>
          )}
          {mayRun && (
            <WorkButton
              className="tr-button tr-button--primary"
              isBusy={isBusy}
              onClick={() => void post(`${schedulePath(project, schedule)}/run`)}
            >
              <i className="pi pi-play" aria-hidden="true" /> {t('Run now')}
            </WorkButton>
          )}
        </div>
      </PageHead>
      {schedule.paused !== null && <Notice severity="warn">{messageOfRefusal(schedule.paused, t)}</Notice>}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {error !== undefined && data === undefined && (
        <ErrorNotice message={messageOfError(error, t)} onRetry={refetch} />
      )}
      {error === undefined && data === undefined && <Skeleton height={48} count={4} />}
      {data?.list.length === 0 && (
        <Empty
          icon="history"
          title={t('It has not run yet')}
          text={t('Its runs of the last 30 days stand here, the newest 200 of them.')}
        />
      )}
      <ul className="schedules-list" aria-label={t('Runs')}>
        {data?.list.map((run) => (
          <RunLine
            key={run.id}
            project={project}
            run={run}
            isBackup={schedule.action === 'schedules.backup'}
            isBusy={isBusy}
            onCancel={mayRun ? () => void post(`${runPath(project, run)}/cancel`) : undefined}
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

function RunLine(props: {
  readonly project: ProjectEntity;
  readonly run: RunEntity;
  readonly isBackup: boolean;
  /** Whether an action on the schedule is running. */
  readonly isBusy: boolean;
  readonly onCancel: (() => void) | undefined;
}) {
  const { project, run, isBackup, isBusy, onCancel } = props;
  const { t, api } = useHost();
  const { problem, attempt } = useAttempt();
  const { file } = run;
  const isOpen = run.state === 'waiting' || run.state === 'running';
  const causes = { time: t('By the clock'), person: t('By hand'), missed: t('Made up for') };
  return (
    <li>
      <div className="schedules-name">
        <strong>{momentWords(run.due_at)}</strong>
        <small>
          {causes[run.cause]}
          {run.times > 1 && <> · {t('{{count}} times', { count: run.times, one: 'once' })}</>}
          {run.started_at !== null && run.ended_at !== null && (
            <> · {secondsBetween(run.started_at, run.ended_at)}</>
          )}
          {run.next_at !== null && (
            <> · {t('next attempt {{moment}}', { moment: momentWords(run.next_at) })}</>
          )}
        </small>
        {run.message !== null && <small>{messageOfRefusal(run.message, t)}</small>}
        {run.attempts.length > 1 && (
          <details>
            <summary>{t('{{count}} attempts', { count: run.attempts.length, one: 'one attempt' })}</summary>
            <ol>
              {run.attempts.map((of) => (
                <li key={of.started_at}>
                  {momentWords(of.started_at)} · {secondsBetween(of.started_at, of.ended_at)} ·{' '}
                  {messageOfRefusal(of.message, t)}
                </li>
              ))}
            </ol>
          </details>
        )}
        {problem !== undefined && <small className="schedules-paused">{problem}</small>}
      </div>
      <RunSign run={run} />
      {file !== null && (
        <button
          type="button"
          className="tr-action"
          title={file.name}
          onClick={() =>
            void attempt(() => api.download({ path: `${runPath(project, run)}/file` }, file.name))
          }
        >
          <i className="pi pi-download" aria-hidden="true" /> {t('Download')} ({sizeText(file.size)})
        </button>
      )}
      {file !== null && isBackup && <RestoreButton project={project} run={run} />}
      {isOpen && !run.is_cancelling && onCancel !== undefined && (
        <WorkButton className="tr-action" isBusy={isBusy} onClick={onCancel}>
          <i className="pi pi-ban" aria-hidden="true" /> {t('Cancel the run')}
        </WorkButton>
      )}
    </li>
  );
}

/** `12.5 s`, in the page's language. */
function secondsBetween(from: string, to: string): string {
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
  const format = { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(pageLanguage(), format).format(seconds);
}
