import type { Readable } from 'node:stream';
import type { Outbound, OutboundCall, OutboundStream } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

/** Where the files lie, and what shows that they are ours. */
export interface FileServerAddress {
  readonly endpoint: string;
  readonly token: string;
}

/** Files on a server that takes PUT, GET and DELETE. A file is never held in memory: it may be larger. */
export interface FileServer {
  put(key: string, content: Readable, signal: AbortSignal): Promise<void>;
  /** @throws TrellisError 404 `FILE_UNKNOWN` */
  get(key: string, signal: AbortSignal): Promise<Readable>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

/** @param address asked for each call, because settings change while files are read and written */
export function createFileServer(outbound: Outbound, address: () => FileServerAddress): FileServer {
  async function open(
    method: 'PUT' | 'GET' | 'DELETE',
    key: string,
    call: Pick<OutboundCall, 'body' | 'signal'>,
  ): Promise<OutboundStream> {
    const { endpoint, token } = address();
    // Many such servers make no folders by themselves.
    const url = `${endpoint.replace(/\/+$/, '')}/${key.replaceAll('/', '-')}`;
    // Calls go through the gate for addresses that somebody typed in. This one is a super admin's, who may name a server of their own.
    return outbound.open(url, {
      purpose: 'storage',
      isSetBySuperAdmin: true,
      method,
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: 10 * 60_000,
      limit: Number.MAX_SAFE_INTEGER,
      ...call,
    });
  }

  /** For answers of which the status says everything. */
  async function statusOf(answer: OutboundStream): Promise<number> {
    answer.stream.destroy();
    return answer.status;
  }

  return {
    async put(key, content, signal) {
      const status = await statusOf(await open('PUT', key, { body: content, signal }));
      if (status >= 300) throw refused(status);
    },
    async get(key, signal) {
      const answer = await open('GET', key, { signal });
      if (answer.status === 200) return answer.stream;
      const status = await statusOf(answer);
      if (status === 404) throw new TrellisError('FILE_UNKNOWN', 'The file is gone.', { status: 404 });
      throw refused(status);
    },
    async remove(key, signal) {
      const status = await statusOf(await open('DELETE', key, { signal }));
      // A file that is gone already is no error.
      if (status >= 300 && status !== 404) throw refused(status);
    },
  };
}

function refused(status: number): TrellisError {
  return new TrellisError('MY_PLUGIN_REFUSED', `The file server answered ${status}.`, { status: 502 });
}
