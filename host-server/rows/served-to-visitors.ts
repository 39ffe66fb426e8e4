import { isVisitor, type PageRequest, type TableHandle } from '@trellis/sdk/server';
import { rowErrors } from './row-errors.ts';

/** Members may page anywhere; visitors must not make the server skip over whole tables again and again. */
const deepestOfVisitors = 100_000;

/** @throws TrellisError `PAGE_TOO_DEEP` for a page that only members may read. */
export function assertInReach({ scope }: TableHandle, { limit, offset }: PageRequest): void {
  if (isVisitor(scope.principal) && offset + limit > deepestOfVisitors)
    throw rowErrors.create('PAGE_TOO_DEEP', { limit: deepestOfVisitors });
}

/** Seconds: at most two exports run at once, and a slow reader keeps others waiting. */
const longestOfVisitors = 300;

/** @throws TrellisError `EXPORT_TOO_LARGE` for a visitor who exports more rows than visitors may. */
export async function assertExportable({ scope }: TableHandle, count: () => Promise<number>): Promise<void> {
  if (!isVisitor(scope.principal)) return;
  const rows = await count();
  if (rows > deepestOfVisitors)
    throw rowErrors.create('EXPORT_TOO_LARGE', { rows, limit: deepestOfVisitors });
}

/**
 * The batches of an export unchanged; for visitors, within their time limit.
 *
 * @throws TrellisError `EXPORT_TOO_LONG` between two batches.
 */
export async function* servedInTime<Batch>(
  { scope }: TableHandle,
  batches: AsyncIterable<Batch>,
): AsyncIterable<Batch> {
  const end = isVisitor(scope.principal) ? performance.now() + longestOfVisitors * 1000 : Infinity;
  for await (const batch of batches) {
    if (performance.now() > end) throw rowErrors.create('EXPORT_TOO_LONG', { seconds: longestOfVisitors });
    yield batch;
  }
}
