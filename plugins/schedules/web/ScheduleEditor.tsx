import { readTimePlan, type ProjectEntity } from '@trellis/sdk/shared';
import { type FormProblems, problemsOf, useHost, useSave, useTables } from '@trellis/sdk/web';
import {
  Dialog,
  ErrorNotice,
  Form,
  ownTimeZone,
  Select,
  Skeleton,
  TextField,
  TimeFields,
} from '@trellis/sdk/web/ui';
import { useState, type ReactNode } from 'react';
import {
  limits,
  type ActionEntity,
  type MissedPolicy,
  type OverlapPolicy,
  type ScheduleEntity,
  type ScheduleInput,
} from '../shared/index.ts';
import { schedulePath, schedulesPath, schedulesTag, useActions, useViews } from './schedule-requests.ts';

interface ScheduleEditorProps {
  readonly project: ProjectEntity;
  /** Undefined for a new one. */
  readonly schedule: ScheduleEntity | undefined;
  readonly onClose: () => void;
}

/** Creates or changes a schedule, after its possible actions have been read. */
export function ScheduleEditor(props: ScheduleEditorProps) {
  const { t } = useHost();
  const { data, error, refetch } = useActions(props.project);
  if (data !== undefined) return <Editor {...props} actions={data.list} />;
  return (
    <Dialog
      title={props.schedule === undefined ? t('New schedule') : t('Change the schedule')}
      onClose={props.onClose}
    >
      {error === undefined ? (
        <Skeleton height={40} count={6} />
      ) : (
        <ErrorNotice message={error.message} onRetry={refetch} />
      )}
    </Dialog>
  );
}

function inputOf(schedule: ScheduleEntity | undefined, [first]: readonly ActionEntity[]): ScheduleInput {
  if (schedule === undefined)
    return {
      title: '',
      action: first?.id ?? '',
      table_id: null,
      view_id: null,
      settings: {},
      cron: '0 8 * * 1-5',
      time_zone: ownTimeZone(),
      overlap: 'skip',
      missed: 'once',
      retries: 2,
      retry_minutes: 5,
      limit_minutes: 30,
    };
  const { title, action, table_id, view_id, settings, cron, time_zone, overlap, missed } = schedule;
  const { retries, retry_minutes, limit_minutes } = schedule;
  const times = { cron, time_zone, overlap, missed, retries, retry_minutes, limit_minutes };
  return { title, action, table_id, view_id, settings, ...times };
}

function Editor(props: ScheduleEditorProps & { readonly actions: readonly ActionEntity[] }) {
  const { project, schedule, actions, onClose } = props;
  const host = useHost();
  const { t, SchemaForm } = host;
  const { isBusy, problem, setProblem, save, conflict } = useSave({
    revision: schedule?.revision ?? null,
    tags: [schedulesTag(project)],
    onTakeTheirs: onClose,
  });
  const [start] = useState(() => inputOf(schedule, actions));
  const [input, setInput] = useState(start);
  const [problems, setProblems] = useState<FormProblems>({});
  const action = actions.find(({ id }) => id === input.action);

  function patch(change: Partial<ScheduleInput>) {
    setInput({ ...input, ...change });
    const gone = Object.keys(change).map((key) => `/${key}`);
    setProblems(
      Object.fromEntries(Object.entries(problems).filter(([at]) => !gone.some((of) => at.startsWith(of)))),
    );
  }
  const problemAt = (pointer: string) => (problems[pointer] === undefined ? undefined : t(problems[pointer]));
  const ofSettings = Object.fromEntries(
    Object.entries(problems)
      .filter(([pointer]) => pointer.startsWith('/settings/'))
      .map(([pointer, text]) => [pointer.slice('/settings'.length), t(text)]),
  );

  async function submit() {
    if (input.title.trim() === '') return setProblems({ '/title': 'Please give the schedule a name.' });
    if (!readTimePlan(input).ok)
      return setProblem(t('Please say when it runs: the field above has the reason.'));
    const isSaved = await save(async (replaces) => {
      try {
        await host.api.request(
          schedule === undefined
            ? { method: 'POST', path: schedulesPath(project), body: input }
            : { method: 'PATCH', path: schedulePath(project, schedule), body: { ...input, replaces } },
        );
      } catch (error) {
        setProblems(problemsOf(error));
        throw error;
      }
    });
    if (!isSaved) return;
    host.toast({ severity: 'success', summary: t('The schedule is saved') });
    onClose();
  }

  return (
    <Dialog
      title={schedule === undefined ? t('New schedule') : t('Change the schedule')}
      width={760}
      isBusy={isBusy}
      isUnsaved={JSON.stringify(input) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <Form
        submitLabel={t('Save')}
        isBusy={isBusy}
        problem={problem}
        conflict={conflict}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('Name')}
          value={input.title}
          maxLength={limits.title}
          autoFocus
          problem={problemAt('/title')}
          onChange={(title) => patch({ title })}
        />
        <label className="tr-field">
          <span>{t('What is done')}</span>
          <Select
            label={t('What is done')}
            value={input.action}
            options={[
              ...actions.map(({ id, label }) => ({ value: id, label: t(label) })),
              // An action that its plugin no longer provides stays visible.
              ...(action === undefined ? [{ value: input.action, label: input.action }] : []),
            ]}
            onChange={(id) => patch({ action: id, settings: {} })}
          />
          {action !== undefined && <small className="tr-note">{t(action.description)}</small>}
        </label>
        {action?.target === 'view' && (
          <Target project={project} input={input} problem={problemAt('/table_id')} onChange={patch} />
        )}
        {action !== undefined && Object.keys(action.settings.properties ?? {}).length > 0 && (
          <SchemaForm
            schema={action.settings}
            value={input.settings}
            problems={ofSettings}
            onChange={(settings) => patch({ settings })}
          />
        )}
        <TimeFields
          label={t('When')}
          value={{ cron: input.cron, time_zone: input.time_zone }}
          onChange={patch}
        />
        <details className="schedules-more">
          <summary>{t('When something is in the way')}</summary>
          <Policies input={input} onChange={patch} />
        </details>
        <p className="tr-note">{t('It runs with the rights of whoever saves it.')}</p>
      </Form>
    </Dialog>
  );
}

/** Chooses the table and the view of the schedule. */
function Target(props: {
  readonly project: ProjectEntity;
  readonly input: ScheduleInput;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<ScheduleInput>) => void;
}) {
  const { project, input, problem, onChange } = props;
  const { t } = useHost();
  const tables = useTables(project.id);
  const views = useViews(input.table_id);
  return (
    <div className="schedules-line">
      <label className="tr-field">
        <span>{t('Table')}</span>
        <Select<string>
          label={t('Table')}
          value={input.table_id ?? ''}
          invalid={problem !== undefined}
          options={[
            { value: '', label: t('Choose a table') },
            ...(tables.data?.list ?? []).map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(id) => onChange({ table_id: id === '' ? null : id, view_id: null })}
        />
        {problem !== undefined && <small className="tr-field-problem">{problem}</small>}
      </label>
      <label className="tr-field">
        <span>{t('View')}</span>
        <Select<string>
          label={t('View')}
          value={input.view_id ?? ''}
          disabled={input.table_id === null}
          options={[
            { value: '', label: t('All rows of the table') },
            ...(views.data?.list ?? []).map(({ id, title, is_default }) => ({
              value: id,
              label: is_default === true ? t('{{view}} (the first view)', { view: title }) : title,
            })),
          ]}
          onChange={(id) => onChange({ view_id: id === '' ? null : id })}
        />
      </label>
    </div>
  );
}

/** A whole number within limits. While it is typed it may be empty or outside them; the nearest valid number counts. */
function CountInput(props: {
  readonly least: number;
  readonly most: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}): ReactNode {
  const { least, most, value, onChange } = props;
  const [typed, setTyped] = useState<string>();
  return (
    <input
      className="p-inputtext p-component"
      type="number"
      min={least}
      max={most}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(Math.min(most, Math.max(least, Math.round(target.valueAsNumber || 0))));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

function Policies(props: {
  readonly input: ScheduleInput;
  readonly onChange: (change: Partial<ScheduleInput>) => void;
}): ReactNode {
  const { input, onChange } = props;
  const { t } = useHost();
  const number = (
    label: string,
    key: 'retries' | 'retry_minutes' | 'limit_minutes',
    [least, most]: readonly [number, number],
  ) => (
    <label className="tr-field">
      <span>{label}</span>
      <CountInput {...{ least, most }} value={input[key]} onChange={(value) => onChange({ [key]: value })} />
    </label>
  );
  return (
    <div className="schedules-policies">
      <label className="tr-field">
        <span>{t('When the run before goes on')}</span>
        <Select<OverlapPolicy>
          label={t('When the run before goes on')}
          value={input.overlap}
          options={[
            { value: 'skip', label: t('Pass this one over') },
            { value: 'wait', label: t('Run after it') },
            { value: 'beside', label: t('Run beside it') },
          ]}
          onChange={(overlap) => onChange({ overlap })}
        />
      </label>
      <label className="tr-field">
        <span>{t('When no server was running')}</span>
        <Select<MissedPolicy>
          label={t('When no server was running')}
          value={input.missed}
          options={[
            { value: 'skip', label: t('Leave out what was missed') },
            { value: 'once', label: t('Make up for it once') },
            { value: 'all', label: t('Make up for each run, 24 at most') },
          ]}
          onChange={(missed) => onChange({ missed })}
        />
      </label>
      {number(t('Further attempts when it fails'), 'retries', [0, limits.retries])}
      {number(t('Minutes between attempts'), 'retry_minutes', [1, limits.retryMinutes])}
      {number(t('Minutes that a run may take'), 'limit_minutes', [1, limits.minutes])}
    </div>
  );
}
