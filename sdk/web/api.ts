/** A request to the server. Paths start with `/api`; every segment that comes from data goes through `encodeURIComponent`. @public */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent as `Idempotency-Key`, so that a retry after a lost answer does not write twice. Created for a write without one. */
  readonly idempotencyKey?: string;
  /**
   * What this request adds, as any JSON value: a form's answers, a comment. If the answer of an equal earlier request was lost,
   * this one is sent with its key, so that pressing again after an error adds it only once.
   */
  readonly once?: unknown;
  /**
   * Whether it waits while the server is unreachable, and is sent once it answers again: for input of people who have moved on, and
   * for what the page reloads by itself. Other requests fail at once with `UNREACHABLE`.
   */
  readonly outlasts?: boolean;
  /** Called with the sent part of the body, from 0 to 1. */
  readonly onProgress?: (this: void, part: number) => void;
  /** The name in the loading bar and the notification list; silent if absent. */
  readonly label?: string;
}

/** An answer with its headers; names in lower case. @public */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refused or failed request: `message` is ready to be shown. @public */
export class ApiError extends Error {
  /** 0 if the server could not be reached. */
  readonly status: number;
  readonly code: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    code?: string,
    params: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.params = params;
  }
}

/** The only access to the server: it sends the session's credentials, and on 401 refreshes them once and retries. @public */
export interface ApiClient {
  /** Returns the body; throws `ApiError`. */
  request<T>(request: ApiRequest): Promise<T>;
  /** Returns body, status and headers; throws `ApiError`. */
  send<T>(request: ApiRequest): Promise<ApiResponse<T>>;
  /** Reads a body as a file and offers it for download. */
  download(request: ApiRequest, fileName: string): Promise<void>;
}
