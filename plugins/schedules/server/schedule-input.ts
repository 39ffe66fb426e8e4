import {
  replacesSchema,
  SchemaStoreToken,
  type AccessScope,
  type ScheduledAction,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import {
  isPrintable,
  problemsByField,
  readTimePlan,
  refusalText,
  validateSettings,
  type JsonSchema,
  type ReadTimePlan,
  type TimePlan,
} from '@trellis/sdk/shared';
import {
  limits,
  missedPolicies,
  overlapPolicies,
  problemWords,
  type ScheduleInput,
} from '../shared/index.ts';
import { mayDo } from './owner.ts';
import { scheduleErrors } from './schedule-errors.ts';

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const id: JsonSchema = { type: ['string', 'null'], maxLength: 60 };
const whole = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });

/** The body for a schedule; properties that a change leaves out stay. */
export const scheduleBody: JsonSchema = {
  type: 'object',
  properties: {
    title: text(1000),
    action: text(100),
    table_id: id,
    view_id: id,
    settings: { type: 'object', maxProperties: 50 },
    cron: text(200),
    time_zone: text(100),
    overlap: { type: 'string', enum: [...overlapPolicies] },
    missed: { type: 'string', enum: [...missedPolicies] },
    retries: whole(0, limits.retries),
    retry_minutes: whole(1, limits.retryMinutes),
    limit_minutes: whole(1, limits.minutes),
    active: { type: 'boolean' },
    replaces: replacesSchema,
  },
};

export type ScheduleBody = Partial<ScheduleInput> & {
  readonly active?: boolean;
  /** The revision that the caller changed. */
  readonly replaces?: string | null;
};

export const newInput: ScheduleInput = {
  title: '',
  action: '',
  table_id: null,
  view_id: null,
  settings: {},
  cron: '',
  time_zone: 'UTC',
  overlap: 'skip',
  missed: 'once',
  retries: 2,
  retry_minutes: 5,
  limit_minutes: 30,
};

/** @throws TrellisError 400 `SCHEDULE_INVALID` whose `params.problems` are messages by JSON pointer. */
export function refuse(problems: Readonly<Record<string, string>>): void {
  if (Object.keys(problems).length > 0) throw scheduleErrors.create('SCHEDULE_INVALID', { problems });
}

/** The problems of the time plan, by JSON pointer. */
function timeProblems(read: ReadTimePlan): Readonly<Record<string, string>> {
  if (read.ok) return {};
  return { [`/${read.field}`]: refusalText(read.problem) };
}

/** @throws TrellisError 400 `SCHEDULE_INVALID` */
export function readTime(plan: TimePlan): Extract<ReadTimePlan, { readonly ok: true }> {
  const read = readTimePlan(plan);
  refuse(timeProblems(read));
  return read as Extract<ReadTimePlan, { readonly ok: true }>;
}

/** The largest settings, as JSON: 16 KB. */
const longestSettings = 16_384;

/** Merges the body into the former settings, and checks them and the caller's rights. */
export function createReadSchedule(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);

  async function placeOf(scope: AccessScope, input: ScheduleInput, action: ScheduledAction) {
    if (action.target === 'none') return { table_id: null, view_id: null };
    if (input.table_id === null) return undefined;
    const handle = await schema.open(scope, input.table_id, input.view_id ?? undefined);
    if (action.permission !== undefined) handle.scope.require(action.permission);
    return { table_id: handle.table.id, view_id: handle.view?.id ?? null };
  }

  return async (
    scope: AccessScope,
    body: ScheduleBody,
    before: ScheduleInput = newInput,
  ): Promise<ScheduleInput> => {
    const merged: ScheduleInput = { ...before, ...inputOf(body) };
    const input: ScheduleInput = { ...merged, title: merged.title.trim(), cron: merged.cron.trim() };
    const action = ctx.registry('scheduledActions').get(input.action);
    const isKnown = action !== undefined && action.isOffered !== false;
    const place = isKnown ? await placeOf(scope, input, action) : undefined;
    refuse({
      ...timeProblems(readTimePlan(input)),
      ...((input.title === '' || input.title.length > limits.title || !isPrintable(input.title)) && {
        '/title': problemWords.name,
      }),
      ...(!isKnown && { '/action': problemWords.action }),
      ...(isKnown && place === undefined && { '/table_id': problemWords.table }),
      ...(isKnown && settingsProblems(action, input.settings)),
    });
    if (isKnown && !mayDo(scope, action)) scope.require(action.permission ?? '');
    const asked = ({ action: of, settings }: ScheduleInput) => JSON.stringify([of, settings]);
    if (isKnown && asked(input) !== asked(before)) await action.willSave?.(input.settings);
    return { ...input, ...place };
  };
}

function inputOf({ active: _, replaces: __, ...sent }: ScheduleBody): Partial<ScheduleInput> {
  return sent;
}

/** By JSON pointer into the body. */
function settingsProblems(action: ScheduledAction, settings: ScheduleInput['settings']) {
  if (JSON.stringify(settings).length > longestSettings) return { '/settings': problemWords.settings };
  // Without fields that were left empty.
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const outcome = validateSettings(action.settings, given);
  const ofSchema = outcome.kind === 'invalid' ? problemsByField(outcome.problems) : {};
  // An action's problem with a value of the wrong form would be irrelevant.
  const problems = { ...(outcome.kind === 'valid' && action.check?.(settings)), ...ofSchema };
  return Object.fromEntries(
    Object.entries(problems).map(([pointer, problem]) => [`/settings${pointer}`, problem]),
  );
}
