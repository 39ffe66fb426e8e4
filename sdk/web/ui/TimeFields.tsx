import { useId, useState, type ReactNode } from 'react';
import {
  fromCron,
  nextRuns,
  plainMinutes,
  readTimePlan,
  toCron,
  type PlainTime,
  type PlainTimeKind,
  type TimePlan,
} from '../../shared/index.ts';
import { useSharedT } from '../host.tsx';
import { TextField } from './Form.tsx';
import { pageLanguage } from './page-language.ts';
import { Select } from './Select.tsx';
import { momentWords, timePlanWords, weekdayName } from './time-words.ts';
import { firstDayOfWeek } from './week-start.ts';

const shownRuns = 5;

/** The props of fields for a repeating time. @public */
export interface TimeFieldsProps {
  /** Its subject: "When". */
  readonly label: string;
  readonly value: TimePlan;
  readonly onChange: (value: TimePlan) => void;
}

/** A repeating time, in words and in cron notation, with its zone and the next times. @public */
export function TimeFields({ label, value, onChange }: TimeFieldsProps): ReactNode {
  const { cron, time_zone: timeZone } = value;
  const t = useSharedT();
  const [now] = useState(() => Date.now());
  const [isCustom, setCustom] = useState(false);
  const zonesId = useId();
  const plain: PlainTime = isCustom ? { kind: 'cron', text: cron } : fromCron(cron);
  const read = readTimePlan(value);
  const problemOf = (field: keyof TimePlan) =>
    !read.ok && read.field === field ? t(read.problem.message, read.problem.params) : undefined;
  const runs = read.ok ? nextRuns(read.plan, read.zone, now, shownRuns) : [];
  const zoneProblem = problemOf('time_zone');
  const setTime = (text: string) => onChange({ ...value, cron: text });

  const kinds: readonly { readonly value: PlainTimeKind; readonly label: string }[] = [
    { value: 'minutes', label: t('Every few minutes') },
    { value: 'hourly', label: t('Every hour') },
    { value: 'daily', label: t('Every day') },
    { value: 'weekdays', label: t('Every weekday (Monday to Friday)') },
    { value: 'weekly', label: t('On certain days of the week') },
    { value: 'monthly', label: t('On a day of each month') },
    { value: 'cron', label: t('Otherwise, in cron notation') },
  ];

  function choose(kind: PlainTimeKind) {
    setCustom(kind === 'cron');
    if (kind !== 'cron') setTime(toCron(startOf(kind, plain)));
  }

  return (
    <fieldset className="tr-time">
      <legend>{label}</legend>
      <div className="tr-time-line">
        <label className="tr-field">
          <span>{t('How often')}</span>
          <Select<PlainTimeKind>
            label={t('How often')}
            value={plain.kind}
            options={kinds}
            onChange={choose}
          />
        </label>
        <PlainFields plain={plain} onChange={(next) => setTime(toCron(next))} />
      </div>
      <div className="tr-time-line">
        <TextField
          label={t('Cron notation')}
          value={cron}
          maxLength={200}
          problem={problemOf('cron')}
          hint={t('Minute, hour, day, month, weekday')}
          onChange={setTime}
        />
        <div className="tr-field">
          <label htmlFor={`${zonesId}-zone`}>{t('Time zone')}</label>
          <input
            className="p-inputtext p-component"
            id={`${zonesId}-zone`}
            list={zonesId}
            value={timeZone}
            maxLength={100}
            autoComplete="off"
            aria-invalid={zoneProblem !== undefined}
            aria-describedby={zoneProblem === undefined ? undefined : `${zonesId}-problem`}
            onChange={(event) => onChange({ ...value, time_zone: event.target.value })}
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
        <div className="tr-time-next" role="status">
          <strong>{timePlanWords(cron, t)}</strong>
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

/** Another kind of plan, with the time of the former one. */
function startOf(kind: PlainTimeKind, before: PlainTime): PlainTime {
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

function PlainFields(props: { readonly plain: PlainTime; readonly onChange: (plain: PlainTime) => void }) {
  const { plain, onChange } = props;
  const t = useSharedT();
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
          // An incomplete time is empty; the last complete one stays.
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
  const t = useSharedT();
  const first = firstDayOfWeek(pageLanguage());
  const week = Array.from({ length: 7 }, (_, index) => (first + index) % 7);
  return (
    <fieldset className="tr-time-days">
      <legend>{t('Days of the week')}</legend>
      {week.map((day) => {
        const isChosen = props.days.includes(day);
        return (
          <label key={day}>
            <input
              type="checkbox"
              checked={isChosen}
              // At least one day stays chosen.
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
