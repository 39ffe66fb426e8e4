import { isDayOf, type CronPlan } from './cron.ts';
import type { TimeZone } from './time-zone.ts';

const day = 86_400_000;
const minute = 60_000;
/** The most days between two runs: the 29th of February is missing in 2100. */
const longestPause = 366 * 9;

/** Moments in milliseconds since 1970. */
type Moment = number;

/**
 * The runs on one day of the zone's calendar, in order. A plan for certain hours runs once a day at each of its times: if the
 * clock is set forward over one, when it jumps; if it is set back, at the first occurrence. A plan for every hour follows the
 * hours that really pass.
 */
function runsOn({ minutes, hours, ...plan }: CronPlan, zone: TimeZone, date: number): readonly Moment[] {
  const at = new Date(date);
  if (!isDayOf({ minutes, hours, ...plan }, at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()))
    return [];
  const readings = hours.flatMap((hour) => minutes.map((of) => date + (hour * 60 + of) * minute));
  const offset = zone.steadyOffset(date);
  if (offset !== undefined) return readings.map((reading) => reading - offset);
  const isHourly = hours.length === 24;
  const runs = new Set<Moment>();
  for (const reading of readings) {
    const { moments, gapEnd } = zone.momentsOf(reading);
    for (const moment of isHourly ? moments : moments.slice(0, 1)) runs.add(moment);
    if (!isHourly && gapEnd !== undefined) runs.add(gapEnd);
  }
  return [...runs].sort((a, b) => a - b);
}

const dateOf = (zone: TimeZone, moment: Moment) => Math.floor(zone.readingAt(moment) / day) * day;

/** The first runs after a moment, at most `count`: milliseconds since 1970. @public */
export function nextRuns(plan: CronPlan, zone: TimeZone, after: number, count: number): readonly number[] {
  const found: Moment[] = [];
  let pause = 0;
  for (let date = dateOf(zone, after); found.length < count && pause < longestPause; date += day) {
    const runs = runsOn(plan, zone, date).filter((moment) => moment > after);
    pause = runs.length > 0 ? 0 : pause + 1;
    found.push(...runs.slice(0, count - found.length));
  }
  return found;
}

/** The last runs from `from` to `to`, both included, at most `most`, in their order: milliseconds since 1970. @public */
export function runsBetween(
  plan: CronPlan,
  zone: TimeZone,
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): readonly number[] {
  const found: Moment[] = [];
  const first = dateOf(zone, from);
  for (let date = dateOf(zone, to); found.length < most && date >= first; date -= day) {
    const runs = runsOn(plan, zone, date).filter((moment) => moment >= from && moment <= to);
    found.unshift(...runs.slice(Math.max(0, runs.length - (most - found.length))));
  }
  return found;
}
