import { ApiError } from '@trellis/sdk/web';
import { asRecord } from '../base/as-record.ts';

/** Reads the server's reason from an answer's body: its `msg`, from JSON, text or a file. */
export async function errorFromResponse(status: number, body: unknown): Promise<ApiError> {
  const details = await readDetails(body);
  const code = typeof details.code === 'string' ? details.code : undefined;
  return new ApiError(status, messageOf(status, details), code, asRecord(details.params));
}

async function readDetails(body: unknown): Promise<Readonly<Record<string, unknown>>> {
  const text = body instanceof Blob ? await body.text() : body;
  if (typeof text !== 'string') return asRecord(text);
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {}; // A proxy's page instead of the server's answer: only the status is known.
  }
}

function messageOf(status: number, { msg, message }: Readonly<Record<string, unknown>>): string {
  if (typeof msg === 'string' && msg !== '') return msg;
  if (typeof message === 'string' && message !== '') return message;
  if (status === 502 || status === 503 || status === 504) return 'The server is not available right now';
  return 'Some internal error occurred';
}

/** The text to show for any thrown value. */
export function messageOfError(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'Some error occurred';
}
