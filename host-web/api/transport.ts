import { Emitter } from '@trellis/core';
import axios, { AxiosHeaders, type AxiosInstance, type AxiosResponse } from 'axios';
import { ApiError, type ApiRequest, type ApiResponse } from '@trellis/sdk/web';
import { errorFromResponse } from './error-from-response.ts';

/** One request as it goes out: nothing is added to it any more. */
export interface TransportRequest extends Omit<ApiRequest, 'label' | 'idempotencyKey' | 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly as?: 'json' | 'blob';
  /** Told of the headers of the answer, also of one that is an error. */
  readonly onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** Sends requests and knows nothing of sessions. Everything that is not a 2xx answer is an `ApiError`. */
export class Transport {
  readonly #axios: AxiosInstance;
  readonly #exchanged = new Emitter<boolean>();

  /** Told of each exchange whether the server answered; one that was given up says nothing. */
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

/** Whether a server that is about to go refuses everything: it carries nothing out any more, and is away a moment later. */
function isOfStoppingServer({ status, data }: AxiosResponse<unknown>): boolean {
  return (
    status === 503 && typeof data === 'object' && data !== null && 'code' in data && data.code === 'STOPPING'
  );
}

/** Whether a gateway before the server answers in its place: what the server says itself carries the id of the request. */
function isOfGateway({ status, headers }: AxiosResponse): boolean {
  return [502, 503, 504].includes(status) && headers['x-request-id'] === undefined;
}
