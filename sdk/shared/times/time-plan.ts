import type { Refusal } from '../refusal.ts';
import { parseCron, type CronPlan } from './cron.ts';
import { timeZoneOf, type TimeZone } from './time-zone.ts';

/** A repeated time, on the wire. @public */
export interface TimePlan {
  /** Five cron fields. */
  readonly cron: string;
  /** Its name in the IANA database: `Europe/Berlin`. */
  readonly time_zone: string;
}

/** A parsed `TimePlan`, or the field that cannot be read. @public */
export type ReadTimePlan =
  | { readonly ok: true; readonly plan: CronPlan; readonly zone: TimeZone }
  | { readonly ok: false; readonly field: keyof TimePlan; readonly problem: Refusal };

const zoneProblem = 'There is no time zone “{{zone}}”: choose one such as Europe/Berlin.';

/** Parses a `TimePlan`. @public */
export function readTimePlan({ cron, time_zone: zoneName }: TimePlan): ReadTimePlan {
  const read = parseCron(cron);
  if (!read.ok) return { ok: false, field: 'cron', problem: read.problem };
  const zone = timeZoneOf(zoneName);
  if (zone === undefined)
    return { ok: false, field: 'time_zone', problem: { message: zoneProblem, params: { zone: zoneName } } };
  return { ok: true, plan: read.plan, zone };
}
