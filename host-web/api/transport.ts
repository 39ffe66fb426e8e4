import axios, { AxiosHeaders, type AxiosInstance, type AxiosResponse } from 'axios';
import { ApiError, type ApiRequest, type ApiResponse } from '@trellis/sdk/web';
import { errorFromResponse } from './error-from-response.ts';

/** One request as it goes out: nothing is added to it any more. */
export interface TransportRequest extends Omit<ApiRequest, 'label' | 'idempotencyKey' | 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly as?: 'json' | 'blob';
}

/** Sends requests and knows nothing of sessions. Everything that is not a 2xx answer is an `ApiError`. */
export class Transport {
  readonly #axios: AxiosInstance;

  constructor(instance: AxiosInstance = axios.create()) {
    this.#axios = instance;
  }

  async send<T>({ method = 'GET', path, query, body, headers, signal, as = 'json' }: TransportRequest) {
    const response = await this.#exchange<T>({ method, path, query, body, headers, signal, as });
    if (response.status < 200 || response.status > 299) {
      throw await errorFromResponse(response.status, response.data);
    }
    const received = AxiosHeaders.from(response.headers as AxiosHeaders).toJSON(true);
    const answer: ApiResponse<T> = {
      data: response.data,
      status: response.status,
      headers: received as Record<string, string>,
    };
    return answer;
  }

  async #exchange<T>(request: TransportRequest): Promise<AxiosResponse<T>> {
    const { method, path, query, body, headers, signal, as } = request;
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
