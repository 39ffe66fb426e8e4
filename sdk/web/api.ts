/** A request to the server. Paths start with `/api`; every segment that comes from data goes through `encodeURIComponent`. @public */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent as `Idempotency-Key`, so that a retry after a lost answer does not write twice. Made when absent on a write. */
  readonly idempotencyKey?: string;
  /**
   * What this request adds, as anything that JSON can write: a form's answers, a comment. Where the answer of one that adds the same was
   * lost, this one is sent as that one was, with its key: whoever presses again after an error adds it once.
   */
  readonly once?: unknown;
  /**
   * Waits while the server is away, and is sent when it answers again: for what somebody entered and has turned away from, and for
   * what the page reads again by itself. Everything else fails at once with `UNREACHABLE`.
   */
  readonly outlasts?: boolean;
  /** Told how much of the body has been sent, from 0 to 1, as it goes out. */
  readonly onProgress?: (this: void, part: number) => void;
  /** What the loading bar and the notification list call it; silent when absent. */
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
  /** 0 when the server could not be reached. */
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

/** The one way to the server: it carries the session, refreshes it once on 401 and retries. @public */
export interface ApiClient {
  /** Gives the body; throws `ApiError`. */
  request<T>(request: ApiRequest): Promise<T>;
  /** Gives body, status and headers; throws `ApiError`. */
  send<T>(request: ApiRequest): Promise<ApiResponse<T>>;
  /** Reads a body as a file and offers it for download. */
  download(request: ApiRequest, fileName: string): Promise<void>;
}
