import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';
import { useT, type FilterValueProps } from '@trellis/sdk/web';
import { ownTimeZone, Select } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { dayAt, dayText } from '../shared/days.ts';
import {
  periodUnits,
  readDistance,
  readPeriod,
  writeDistance,
  writePeriod,
  type Period,
} from '../shared/index.ts';

/** Periods without further parameters, by their stored value. */
const plainLabels = {
  today: 'today',
  yesterday: 'yesterday',
  tomorrow: 'tomorrow',
  'this week': 'this week',
  'last week': 'last week',
  'next week': 'next week',
  'this month': 'this month',
  'last month': 'last month',
  'next month': 'next month',
  'this quarter': 'this quarter',
  'last quarter': 'last quarter',
  'this year': 'this year',
  'last year': 'last year',
  'next year': 'next year',
};
const openLabels = { last: 'the last …', next: 'the next …', date: 'an exact day' };
const unitLabels = { day: 'days', week: 'weeks', month: 'months', quarter: 'quarters', year: 'years' };

const firstDistance = { count: 7, unit: 'day' } as const;

/** The zone in which a filter's days begin: the column's, or else the person's. */
function zoneOf(column: ColumnEntity): string {
  const zone = column.meta?.timezone;
  if (typeof zone === 'string' && zone !== 'UTC') return zone;
  return ownTimeZone();
}

const today = (zone: string) => dayText(dayAt(Date.now(), zone));
const textOf = (value: CellValue) => (typeof value === 'string' ? value : '');

/** Chooses a period of days relative to the day of reading. */
export function PeriodInput({ column, value, readOnly, onChange }: FilterValueProps) {
  const t = useT();
  const read = readPeriod(textOf(value));
  const zone = read?.zone ?? zoneOf(column);
  const period = read?.of;
  const change = (of: Period) => onChange(writePeriod({ of, zone }));

  function choose(next: string) {
    if (next === 'last' || next === 'next') {
      const distance = period?.kind === 'count' ? period : firstDistance;
      return change({ ...distance, kind: 'count', direction: next });
    }
    if (next === 'date') return change({ kind: 'date', day: today(zone) });
    const plain = readPeriod(next);
    if (plain) change(plain.of);
  }

  const chosen =
    period === undefined
      ? ''
      : period.kind === 'count'
        ? period.direction
        : period.kind === 'date'
          ? 'date'
          : writePeriod({ of: period, zone: 'UTC' });
  const options = Object.entries({ ...plainLabels, ...openLabels }).map(([id, label]) => ({
    value: id,
    label: t(label),
  }));
  return (
    <span className="tr-filter-range fb-period" title={t('Days begin at midnight in {{zone}}', { zone })}>
      <Select
        label={t('Period')}
        disabled={readOnly}
        value={chosen}
        options={chosen === '' ? [{ value: '', label: t('choose') }, ...options] : options}
        onChange={choose}
      />
      {period?.kind === 'count' && (
        <Distance value={period} readOnly={readOnly} onChange={(next) => change({ ...period, ...next })} />
      )}
      {period?.kind === 'date' && (
        <input
          type="date"
          className="tr-text-input"
          aria-label={t('Day')}
          disabled={readOnly}
          value={period.day}
          onChange={(event) => {
            if (readPeriod(event.target.value)) change({ kind: 'date', day: event.target.value });
          }}
        />
      )}
    </span>
  );
}

/** Chooses a number of days, weeks or months from today. */
export function DistanceInput({ column, value, readOnly, onChange }: FilterValueProps) {
  const t = useT();
  const read = readDistance(textOf(value));
  const zone = read?.zone ?? zoneOf(column);
  return (
    <span className="tr-filter-range fb-period" title={t('Days begin at midnight in {{zone}}', { zone })}>
      <Distance
        value={read?.of}
        readOnly={readOnly}
        onChange={(of) => onChange(writeDistance({ of, zone }))}
      />
    </span>
  );
}

type DistanceOf = NonNullable<ReturnType<typeof readDistance>>['of'];

interface DistanceProps {
  readonly value: DistanceOf | undefined;
  readonly readOnly: boolean;
  readonly onChange: (value: DistanceOf) => void;
}

function Distance({ value, readOnly, onChange }: DistanceProps) {
  const t = useT();
  // An incomplete number stays in the field.
  const [typed, setTyped] = useState<string>();
  const unit = value?.unit ?? firstDistance.unit;

  function change(text: string) {
    const isCount = /^\d{1,4}$/.test(text);
    setTyped(isCount ? undefined : text);
    if (isCount) onChange({ count: Number(text), unit });
  }

  return (
    <>
      <input
        type="number"
        className="tr-text-input fb-count"
        aria-label={t('How many')}
        min={0}
        max={9999}
        disabled={readOnly}
        value={typed ?? value?.count ?? ''}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setTyped(undefined)}
      />
      <Select
        label={t('Unit')}
        disabled={readOnly}
        value={unit}
        options={periodUnits.map((id) => ({ value: id, label: t(unitLabels[id]) }))}
        onChange={(next) => onChange({ count: value?.count ?? firstDistance.count, unit: next })}
      />
    </>
  );
}
