import {
  createCheckAddress,
  drainAnswer,
  OutboundToken,
  RowStoreToken,
  SchemaStoreToken,
  type ScheduledAction,
  type ScheduledRun,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { callForm, problemWords } from '../../shared/index.ts';
import { scheduleErrors, scheduleOutcomes, wordsOf } from '../schedule-errors.ts';
import { RowParts } from './held-rows.ts';

interface CallSettings {
  readonly address?: string;
}

const timeoutMs = 30_000;
const longestAnswer = 64 * 1024;

/** Sends the rows of a view to an address, some per request: like a webhook, but by the clock. */
export function createCallAction(ctx: ServerPluginContext): ScheduledAction<CallSettings> {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const outbound = ctx.get(OutboundToken);
  const checkAddress = createCheckAddress(ctx, 'schedule');

  async function send(
    { runId, attempt, dueAt, schedule, settings, signal }: ScheduledRun<CallSettings>,
    { table, view }: TableHandle,
    { part, batch }: { readonly part: number; readonly batch: string },
  ): Promise<void> {
    const told = JSON.stringify({
      schedule: { id: schedule.id, title: schedule.title },
      due_at: new Date(dueAt).toISOString(),
      table: { id: table.id, title: table.title },
      view: view === undefined ? null : { id: view.id, title: view.title },
      part,
    });
    const { status, stream } = await outbound.open(settings.address ?? '', {
      purpose: 'schedule',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Trellis-Schedule',
        // The same when it is sent again, so that a receiver can recognise a repetition.
        'x-trellis-event-id': `${runId}-${part}`,
        'x-trellis-attempt': String(attempt),
      },
      body: `${told.slice(0, -1)},"rows":${batch}}`,
      timeoutMs,
      limit: longestAnswer,
      redirects: 3,
      mustArrive: true,
      signal,
    });
    await drainAnswer(stream);
    if (status >= 300) throw scheduleErrors.create('SCHEDULE_ANSWER', { status });
  }

  return {
    id: 'schedules.call',
    ...callForm,
    icon: 'send',
    target: 'view',
    permission: 'dataList',
    check({ address }): Readonly<Record<string, string>> {
      const isAddress =
        address !== undefined && /^https?:\/\/[^/\s]+/i.test(address) && URL.canParse(address);
      const { username = '', password = '' } = isAddress ? new URL(address) : {};
      // Addresses that contain a name or a password are refused.
      return isAddress && username + password === '' ? {} : { '/address': problemWords.address };
    },
    willSave: ({ address }) => checkAddress(String(address)),
    async run(call) {
      const { handle, signal } = call;
      if (handle === undefined) throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
      const parts = new RowParts(rows);
      let [part, count] = [0, 0];
      for (let now = handle; ; now = await schema.open(call.scope, handle.table.id, handle.view?.id)) {
        const held = await parts.next(now, signal);
        for (const batch of held.requests) {
          signal.throwIfAborted();
          await send(call, now, { part: (part += 1), batch });
        }
        count += held.count;
        if (!held.isCut) break;
      }
      return wordsOf(scheduleOutcomes.create('SCHEDULE_ROWS_SENT', { count }));
    },
  };
}
