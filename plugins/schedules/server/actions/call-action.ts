import {
  createCheckAddress,
  drainAnswer,
  mayRead,
  OutboundToken,
  RowStoreToken,
  type ScheduledAction,
  type ScheduledRun,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { callForm, problemWords, rowsOfRequest, rowsOfRun } from '../../shared/index.ts';
import { scheduleErrors, scheduleOutcomes, wordsOf } from '../schedule-errors.ts';

interface CallSettings {
  readonly address?: string;
}

const timeoutMs = 30_000;
const longestAnswer = 64 * 1024;

/** Sends the rows of a view to an address, some in each request: what a webhook does by itself, done by the clock. */
export function createCallAction(ctx: ServerPluginContext): ScheduledAction<CallSettings> {
  const rows = ctx.get(RowStoreToken);
  const outbound = ctx.get(OutboundToken);
  const checkAddress = createCheckAddress(ctx, 'schedule');

  async function send(
    { runId, attempt, dueAt, schedule, settings, signal }: ScheduledRun<CallSettings>,
    handle: TableHandle,
    { part, batch }: { readonly part: number; readonly batch: readonly Row[] },
  ): Promise<void> {
    const { table, view } = handle;
    const { status, stream } = await outbound.open(settings.address ?? '', {
      purpose: 'schedule',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Trellis-Schedule',
        // The same when it is sent again, so that a receiver can tell a repetition.
        'x-trellis-event-id': `${runId}-${part}`,
        'x-trellis-attempt': String(attempt),
      },
      body: JSON.stringify({
        schedule: { id: schedule.id, title: schedule.title },
        due_at: new Date(dueAt).toISOString(),
        table: { id: table.id, title: table.title },
        view: view === undefined ? null : { id: view.id, title: view.title },
        part,
        rows: batch,
      }),
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
      // With a name and a password in it no address is called.
      return isAddress && username + password === '' ? {} : { '/address': problemWords.address };
    },
    willSave: ({ address }) => checkAddress(String(address)),
    async run(call) {
      const { handle, signal } = call;
      if (handle === undefined) throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
      const shown = handle.view?.columns.filter(({ show }) => show).map(({ columnId }) => columnId);
      const fields = handle.table.columns
        .filter((column) => mayRead(handle.scope, column) && (shown?.includes(column.id) ?? !column.system))
        .map(({ title }) => title);
      const { batches } = await rows.stream(handle, { fields }, signal);
      let [part, count] = [0, 0];
      for await (const page of batches) {
        for (let from = 0; from < page.length && count < rowsOfRun; from += rowsOfRequest) {
          signal.throwIfAborted();
          const batch = page.slice(from, Math.min(from + rowsOfRequest, from + rowsOfRun - count));
          await send(call, handle, { part: (part += 1), batch });
          count += batch.length;
        }
        if (count >= rowsOfRun) break;
      }
      return wordsOf(scheduleOutcomes.create('SCHEDULE_ROWS_SENT', { count }));
    },
  };
}
