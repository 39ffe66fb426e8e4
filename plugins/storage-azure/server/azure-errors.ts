import { defineErrors, TrellisError } from '@trellis/sdk/shared';

export const azureErrors = defineErrors({
  AZURE_INCOMPLETE: {
    status: 400,
    message: 'The settings lack the storage account, its key or the container.',
  },
  AZURE_KEY_WRONG: { status: 502, message: "The key does not belong to the storage account '{account}'." },
  AZURE_CLOCK: {
    status: 502,
    message:
      'The clock of this server is {minutes} minutes off, so that Azure refuses its calls. Set the clock.',
  },
  AZURE_NO_ACCESS: {
    status: 502,
    message:
      "The storage account '{account}' does not let this server in. Look at the key, and at the network rules of the account.",
  },
  AZURE_CONTAINER_UNKNOWN: {
    status: 502,
    message: "The storage account '{account}' has no container '{container}'.",
  },
  AZURE_UNREACHABLE: { status: 502, message: "Azure does not answer at '{host}'." },
  AZURE_BUSY: { status: 503, message: 'Azure is busy (status {status}). Try again in a while.' },
  AZURE_FILES_ELSEWHERE: {
    status: 409,
    message:
      "Files are kept in the container '{container}', and they are not where these settings lead. Move them to another storage first, or copy them there.",
  },
  AZURE_CHANGED: { status: 502, message: 'What Azure kept is not what was sent to it.' },
  AZURE_REFUSED: { status: 502, message: 'Azure refused the call (status {status}, {code}).' },
});

interface Asked {
  readonly account: string;
  readonly container: string;
  readonly host: string;
}

/** The largest tolerated difference of the clocks, in milliseconds. */
const mostOff = 15 * 60_000;

/** The text for a refusal: one of a few fixed sentences, never the other side's answer. */
export function toAzureError(
  status: number,
  headers: Readonly<Record<string, string>>,
  { account, container }: Asked,
): TrellisError {
  const told = headers['x-ms-error-code'] ?? '';
  const code = /^[A-Za-z]{1,60}$/.test(told) ? told : '';
  if (code === 'ContainerNotFound')
    return azureErrors.create('AZURE_CONTAINER_UNKNOWN', { account, container });
  if (code === 'AuthenticationFailed' || status === 401) {
    const off = Math.abs(Date.now() - Date.parse(headers['date'] ?? ''));
    if (off > mostOff) return azureErrors.create('AZURE_CLOCK', { minutes: Math.round(off / 60_000) });
    return azureErrors.create('AZURE_KEY_WRONG', { account });
  }
  if (status === 403) return azureErrors.create('AZURE_NO_ACCESS', { account });
  if (status === 429 || status >= 500) return azureErrors.create('AZURE_BUSY', { status });
  return azureErrors.create('AZURE_REFUSED', { status, code: code || 'unknown' });
}

/** The error for a failed connection. Errors of the outbound gate already explain what to do. */
export function toConnectionError(error: unknown, { host }: Asked): unknown {
  const isGone =
    error instanceof TrellisError && /^OUTBOUND_(?:FAILED|TIMEOUT|HOST_UNKNOWN)$/.test(error.code);
  return isGone ? azureErrors.create('AZURE_UNREACHABLE', { host }, error) : error;
}

/** Whether the same call may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof TrellisError && (error.code === 'AZURE_BUSY' || error.code === 'AZURE_UNREACHABLE');
}
