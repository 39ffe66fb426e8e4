import { TrellisError } from '@trellis/sdk/shared';

/** A refusal that names the step which it is about, so that the page says it in the card of the step. */
export function refusalIn(step: string, error: unknown): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { code, message, status, params } = error;
  return new TrellisError(code, message, { status, params: { step, ...params }, cause: error });
}
