/** What the server answered. @public */
export interface TestAnswer<Body = unknown> {
  readonly status: number;
  /** Parsed where it is JSON, else the text. */
  readonly body: Body;
  readonly headers: Headers;
}

interface ClientOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a server as a browser or a script would. It never throws for a status. @public */
export class TestClient {
  readonly url: string;
  readonly token: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, { token, headers = {} }: ClientOptions = {}) {
    this.url = url;
    this.token = token;
    this.#headers = headers;
  }

  /** The same with another account or further headers. */
  with(options: ClientOptions): TestClient {
    return new TestClient(this.url, {
      token: options.token ?? this.token,
      headers: { ...this.#headers, ...options.headers },
    });
  }

  get<Body = unknown>(path: string): Promise<TestAnswer<Body>> {
    return this.send('GET', path);
  }

  post<Body = unknown>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('POST', path, body);
  }

  put<Body = unknown>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('PUT', path, body);
  }

  patch<Body = unknown>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('PATCH', path, body);
  }

  delete<Body = unknown>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('DELETE', path, body);
  }

  async send<Body>(method: string, path: string, body?: unknown): Promise<TestAnswer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token !== undefined && { 'xc-auth': this.token }),
        ...this.#headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // Lines of JSON, `application/jsonl`, are a text.
    const isJson = /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
      headers: response.headers,
    };
  }
}
