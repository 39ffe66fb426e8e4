import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, messageOfRefusal, useHost, usePendingValue } from '@trellis/sdk/web';
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
import { useState } from 'react';
import type { ScheduleEntity } from '../shared/index.ts';
import { RunLog } from './RunLog.tsx';
import { RunSign } from './RunSign.tsx';
import { ScheduleEditor } from './ScheduleEditor.tsx';
import { schedulePath, schedulesTag, useSchedules } from './schedule-requests.ts';

/** A project's schedules with their times and results. */
export default function SchedulesTab({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const { data, error, refetch } = useSchedules(project);
  const [edited, setEdited] = useState<{ readonly schedule?: ScheduleEntity }>();
  const [logged, setLogged] = useState<string>();
  const mayChange = hasPermission('scheduleUpdate', project);
  const shown = data?.list.find(({ id }) => id === logged);
  const editor = edited && (
    <ScheduleEditor project={project} schedule={edited.schedule} onClose={() => setEdited(undefined)} />
  );

  if (shown !== undefined)
    return (
      <>
        <RunLog
          project={project}
          schedule={shown}
          onEdit={() => setEdited({ schedule: shown })}
          onBack={() => setLogged(undefined)}
        />
        {editor}
      </>
    );
  return (
    <section className="tr-page">
      <PageHead title={t('Schedules')} about={t('What this project does by the clock, and how it went.')}>
        {mayChange && (data?.list.length ?? 0) > 0 && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setEdited({})}>
            <i className="pi pi-plus" aria-hidden="true" /> {t('New schedule')}
          </button>
        )}
      </PageHead>
      {error !== undefined && data === undefined && (
        <ErrorNotice message={messageOfError(error, t)} onRetry={refetch} />
      )}
      {error === undefined && data === undefined && <Skeleton height={64} count={3} />}
      {data?.list.length === 0 && (
        <Empty
          icon="clock"
          title={t('Nothing runs by the clock yet')}
          text={t(
            'A schedule exports a view each morning, or sends its rows to another program every few minutes.',
          )}
        >
          {mayChange && (
            <button type="button" className="tr-button tr-button--primary" onClick={() => setEdited({})}>
              <i className="pi pi-plus" aria-hidden="true" /> {t('New schedule')}
            </button>
          )}
        </Empty>
      )}
      <ul className="schedules-list" aria-label={t('Schedules')}>
        {data?.list.map((schedule) => (
          <ScheduleLine
            key={schedule.id}
            project={project}
            schedule={schedule}
            onOpen={() => setLogged(schedule.id)}
            onEdit={() => setEdited({ schedule })}
          />
        ))}
      </ul>
      {editor}
    </section>
  );
}

function ScheduleLine(props: {
  readonly project: ProjectEntity;
  readonly schedule: ScheduleEntity;
  readonly onOpen: () => void;
  readonly onEdit: () => void;
}) {
  const { project, schedule, onOpen, onEdit } = props;
  const { t, api, toast, confirm, invalidate } = useHost();
  const { title, active, paused, cron, time_zone, next_runs, last_run } = schedule;
  const path = schedulePath(project, schedule);
  const mayChange = hasPermission('scheduleUpdate', project);
  const isOn = usePendingValue(active);

  async function call(method: 'POST' | 'PATCH' | 'DELETE', at: string, body: unknown, failed: string) {
    try {
      await api.request({ method, path: at, body });
      return true;
    } catch (error) {
      toast({ severity: 'error', summary: failed, detail: messageOfError(error, t) });
      return false;
    } finally {
      invalidate([schedulesTag(project)]);
    }
  }
  const runNow = () => call('POST', `${path}/run`, undefined, t('The schedule did not run'));
  const turn = (on: boolean) => call('PATCH', path, { active: on }, t('The schedule was not changed'));

  async function remove() {
    const isMeant = await confirm({
      title: t('Delete the schedule {{title}}?', { title }),
      message: t('Its log goes with it, and so do the files that its runs kept.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isMeant) await call('DELETE', path, undefined, t('The schedule is still there'));
  }

  return (
    <li data-still={!active || paused !== null}>
      <button type="button" className="schedules-name" onClick={onOpen}>
        <strong>{title}</strong>
        <small>
          {timePlanWords(cron, t)} · {time_zone}
        </small>
        {paused !== null ? (
          <small className="schedules-paused">{messageOfRefusal(paused, t)}</small>
        ) : (
          <small>
            {next_runs[0] === undefined
              ? t('Switched off')
              : t('Next: {{moment}}', { moment: momentWords(next_runs[0], time_zone) })}
          </small>
        )}
      </button>
      {last_run !== null && <RunSign run={last_run} />}
      {mayChange && (
        <Switch
          checked={isOn.value}
          label={t('{{title}} runs by the clock', { title })}
          onChange={(on) => void isOn.change(on, () => turn(on))}
        />
      )}
      <MenuButton
        label={t('What to do with {{title}}', { title })}
        actions={[
          ...(hasPermission('scheduleRun', project)
            ? [{ id: 'run', label: t('Run now'), icon: 'play', run: () => void runNow() }]
            : []),
          { id: 'log', label: t('Runs'), icon: 'history', run: onOpen },
          ...(mayChange
            ? [
                { id: 'edit', label: t('Change the schedule'), icon: 'pencil', run: onEdit },
                ...(paused !== null && active
                  ? [{ id: 'resume', label: t('Let it go on'), icon: 'replay', run: () => void turn(true) }]
                  : []),
                { id: 'remove', label: t('Delete'), icon: 'trash', danger: true, run: () => void remove() },
              ]
            : []),
        ]}
      />
    </li>
  );
}
