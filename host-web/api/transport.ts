import { Emitter } from '@trellis/core';
import axios, { AxiosHeaders, type AxiosInstance, type AxiosResponse } from 'axios';
import { ApiError, type ApiRequest, type ApiResponse } from '@trellis/sdk/web';
import { errorFromResponse } from './error-from-response.ts';

/** One complete request; nothing is added to it after this. */
export interface TransportRequest extends Omit<ApiRequest, 'label' | 'idempotencyKey' | 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly as?: 'json' | 'blob';
  /** Called with the headers of the answer, including those of an error. */
  readonly onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** Sends requests without any knowledge of sessions. Every answer except a 2xx is thrown as an `ApiError`. */
export class Transport {
  readonly #axios: AxiosInstance;
  readonly #exchanged = new Emitter<boolean>();

  /** Fires for each exchange with whether the server answered; not for aborted requests. */
  readonly onDidExchange = this.#exchanged.event;

  constructor(instance: AxiosInstance = axios.create()) {
    this.#axios = instance;
  }

  async send<T>({ onHeaders, ...request }: TransportRequest): Promise<ApiResponse<T>> {
    const { data, status, headers: received } = await this.#exchange<T>(request);
    const headers = AxiosHeaders.from(received as AxiosHeaders).toJSON(true) as Record<string, string>;
    onHeaders?.(headers);
    if (status < 200 || status > 299) throw await errorFromResponse(status, data);
    return { data, status, headers };
  }

  async #exchange<T>(request: TransportRequest): Promise<AxiosResponse<T>> {
    const { method = 'GET', path, query, body, headers, signal, onProgress, as = 'json' } = request;
    try {
      const response = await this.#axios.request<T>({
        method,
        url: path,
        params: query,
        data: body,
        headers: { Accept: 'application/json', ...headers },
        signal,
        ...(onProgress && { onUploadProgress: ({ progress = 0 }) => onProgress(progress) }),
        responseType: as === 'blob' ? 'blob' : 'json',
        withCredentials: true,
        validateStatus: () => true,
      });
      if (isOfStoppingServer(response)) throw new Error('The server is stopping');
      this.#exchanged.fire(!isOfGateway(response));
      return response;
    } catch (error) {
      if (axios.isCancel(error)) throw new ApiError(0, 'The request was given up', 'ABORTED');
      this.#exchanged.fire(false);
      throw new ApiError(0, 'The server cannot be reached; check your connection', 'UNREACHABLE');
    }
  }
}

/** Whether this is the refusal of a server that is shutting down: it carries out nothing more, and is away a moment later. */
function isOfStoppingServer({ status, data }: AxiosResponse<unknown>): boolean {
  return (
    status === 503 && typeof data === 'object' && data !== null && 'code' in data && data.code === 'STOPPING'
  );
}

/** Whether a gateway answered instead of the server: the server's own answers contain the id of the request. */
function isOfGateway({ status, headers }: AxiosResponse): boolean {
  return [502, 503, 504].includes(status) && headers['x-request-id'] === undefined;
}
