import { useHost } from '@trellis/sdk/web';
import { firstDayOfWeek, pageLanguage, Select, TextField } from '@trellis/sdk/web/ui';
import { useId, useState } from 'react';
import {
  fromCron,
  nextRuns,
  plainMinutes,
  planOf,
  toCron,
  type PlainKind,
  type PlainSchedule,
} from '../shared/index.ts';
import { momentWords, scheduleWords, weekdayName } from './schedule-words.ts';

const shownRuns = 5;

interface TimeFieldsProps {
  readonly cron: string;
  readonly timeZone: string;
  /** The moment after which runs are shown: milliseconds since 1970. */
  readonly now: number;
  readonly onChange: (change: { readonly cron?: string; readonly timeZone?: string }) => void;
}

/** When something runs, in words and in cron notation, with the next runs. */
export function TimeFields({ cron, timeZone, now, onChange }: TimeFieldsProps) {
  const { t } = useHost();
  const [isCustom, setCustom] = useState(false);
  const zonesId = useId();
  const plain: PlainSchedule = isCustom ? { kind: 'cron', text: cron } : fromCron(cron);
  const read = planOf({ cron, timeZone });
  const problemOf = (field: 'cron' | 'timeZone') =>
    !read.ok && read.field === field ? t(read.problem.message, read.problem.params) : undefined;
  const runs = read.ok ? nextRuns(read.plan, read.zone, now, shownRuns) : [];
  const zoneProblem = problemOf('timeZone');

  const kinds: readonly { readonly value: PlainKind; readonly label: string }[] = [
    { value: 'minutes', label: t('Every few minutes') },
    { value: 'hourly', label: t('Every hour') },
    { value: 'daily', label: t('Every day') },
    { value: 'weekdays', label: t('Every weekday (Monday to Friday)') },
    { value: 'weekly', label: t('On certain days of the week') },
    { value: 'monthly', label: t('On a day of each month') },
    { value: 'cron', label: t('Otherwise, in cron notation') },
  ];

  function choose(kind: PlainKind) {
    setCustom(kind === 'cron');
    if (kind !== 'cron') onChange({ cron: toCron(startOf(kind, plain)) });
  }

  return (
    <fieldset className="schedules-time">
      <legend>{t('When')}</legend>
      <div className="schedules-line">
        <label className="tr-field">
          <span>{t('How often')}</span>
          <Select<PlainKind> label={t('How often')} value={plain.kind} options={kinds} onChange={choose} />
        </label>
        <PlainFields plain={plain} onChange={(next) => onChange({ cron: toCron(next) })} />
      </div>
      <div className="schedules-line">
        <TextField
          label={t('Cron notation')}
          value={cron}
          maxLength={200}
          problem={problemOf('cron')}
          hint={t('Minute, hour, day, month, weekday')}
          onChange={(text) => onChange({ cron: text })}
        />
        <div className="tr-field">
          <label htmlFor={`${zonesId}-zone`}>{t('Time zone')}</label>
          <input
            className="p-inputtext p-component"
            id={`${zonesId}-zone`}
            list={zonesId}
            value={timeZone}
            autoComplete="off"
            aria-invalid={zoneProblem !== undefined}
            aria-describedby={zoneProblem === undefined ? undefined : `${zonesId}-problem`}
            onChange={(event) => onChange({ timeZone: event.target.value })}
          />
          <datalist id={zonesId}>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </datalist>
          {zoneProblem !== undefined && (
            <small id={`${zonesId}-problem`} className="tr-field-problem">
              {zoneProblem}
            </small>
          )}
        </div>
      </div>
      {read.ok && (
        <div className="schedules-next" role="status">
          <strong>{scheduleWords(cron, t)}</strong>
          <ol aria-label={t('Next runs')}>
            {runs.map((moment) => (
              <li key={moment}>
                <time dateTime={new Date(moment).toISOString()}>{momentWords(moment, timeZone)}</time>
              </li>
            ))}
          </ol>
        </div>
      )}
    </fieldset>
  );
}

/** A schedule of another kind at the time of the one before. */
function startOf(kind: PlainKind, before: PlainSchedule): PlainSchedule {
  const time = 'time' in before ? before.time : '08:00';
  switch (kind) {
    case 'minutes':
      return { kind, every: 15 };
    case 'hourly':
      return { kind, minute: 0 };
    case 'daily':
    case 'weekdays':
      return { kind, time };
    case 'weekly':
      return { kind, days: [1], time };
    case 'monthly':
      return { kind, day: 1, time };
    case 'cron':
      return { kind, text: toCron(before) };
  }
}

function PlainFields(props: {
  readonly plain: PlainSchedule;
  readonly onChange: (plain: PlainSchedule) => void;
}) {
  const { plain, onChange } = props;
  const { t } = useHost();
  if (plain.kind === 'cron') return null;
  if (plain.kind === 'minutes')
    return (
      <label className="tr-field">
        <span>{t('Minutes between two runs')}</span>
        <Select
          label={t('Minutes between two runs')}
          value={String(plain.every)}
          options={plainMinutes.map((every) => ({ value: String(every), label: String(every) }))}
          onChange={(every) => onChange({ ...plain, every: Number(every) })}
        />
      </label>
    );
  if (plain.kind === 'hourly')
    return (
      <label className="tr-field">
        <span>{t('Minutes past the hour')}</span>
        <Select
          label={t('Minutes past the hour')}
          value={String(plain.minute)}
          options={Array.from({ length: 60 }, (_, minute) => ({
            value: String(minute),
            label: String(minute),
          }))}
          onChange={(minute) => onChange({ ...plain, minute: Number(minute) })}
        />
      </label>
    );
  return (
    <>
      {plain.kind === 'monthly' && (
        <label className="tr-field">
          <span>{t('Day of the month')}</span>
          <Select
            label={t('Day of the month')}
            value={String(plain.day)}
            options={[
              ...Array.from({ length: 31 }, (_, index) => ({
                value: String(index + 1),
                label: String(index + 1),
              })),
              { value: 'L', label: t('The last one') },
            ]}
            onChange={(day) => onChange({ ...plain, day: day === 'L' ? day : Number(day) })}
          />
        </label>
      )}
      {plain.kind === 'weekly' && (
        <Weekdays days={plain.days} onChange={(days) => onChange({ ...plain, days })} />
      )}
      <label className="tr-field">
        <span>{t('At')}</span>
        <input
          className="p-inputtext p-component"
          type="time"
          required
          value={plain.time}
          // An incomplete time is empty; the last whole one stays.
          onChange={(event) => event.target.value !== '' && onChange({ ...plain, time: event.target.value })}
        />
      </label>
    </>
  );
}

function Weekdays(props: {
  readonly days: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
}) {
  const { t } = useHost();
  const first = firstDayOfWeek(pageLanguage());
  const week = Array.from({ length: 7 }, (_, index) => (first + index) % 7);
  return (
    <fieldset className="schedules-days">
      <legend>{t('Days of the week')}</legend>
      {week.map((day) => {
        const isChosen = props.days.includes(day);
        return (
          <label key={day}>
            <input
              type="checkbox"
              checked={isChosen}
              // One day at the least stays chosen.
              disabled={isChosen && props.days.length === 1}
              onChange={() =>
                props.onChange(isChosen ? props.days.filter((of) => of !== day) : [...props.days, day])
              }
            />{' '}
            <span title={weekdayName(day)}>{weekdayName(day, 'short')}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
