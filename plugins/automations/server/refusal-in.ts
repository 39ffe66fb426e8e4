import { TrellisError } from '@trellis/sdk/shared';

/** A refusal that names its step, so that the page shows it in the step's card. */
export function refusalIn(step: string, error: unknown): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { code, message, status, params } = error;
  return new TrellisError(code, message, { status, params: { step, ...params }, cause: error });
}
