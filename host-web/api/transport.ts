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
    const { method = 'GET', path, query, body, headers, signal, as = 'json' } = request;
    try {
      return await this.#axios.request<T>({
        method,
        url: path,
        params: query,
        data: body,
        headers: { Accept: 'application/json', ...headers },
        signal,
        responseType: as === 'blob' ? 'blob' : 'json',
        withCredentials: true,
        validateStatus: () => true,
      });
    } catch (error) {
      if (axios.isCancel(error)) throw new ApiError(0, 'The request was given up', 'ABORTED');
      throw new ApiError(0, 'The server cannot be reached; check your connection', 'UNREACHABLE');
    }
  }
}
