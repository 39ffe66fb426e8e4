import { Agent, request as httpRequest } from 'node:http';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
}

/** A server under load, and the headers that identify the caller. */
export interface Target {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Limits {
  readonly concurrency: number;
  readonly requests: number;
  readonly seconds: number;
}

export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly requests: number;
}

/** Sends one call; rejects unless the answer is a 2xx. */
export function send(target: Target, agent: Agent, { method, path, body }: Call): Promise<string> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: target.port,
        agent,
        method,
        path,
        headers: {
          ...target.headers,
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 300)}`));
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

/** Keeps `concurrency` calls running until the number of requests or the time is used up. */
export async function load(
  target: Target,
  callOf: (index: number) => Call,
  limits: Limits,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: limits.concurrency });
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  const end = start + limits.seconds * 1000;

  async function client(): Promise<void> {
    while (next < limits.requests && performance.now() < end) {
      const index = next;
      next += 1;
      const sent = performance.now();
      await send(target, agent, callOf(index));
      times.push(performance.now() - sent);
    }
  }

  try {
    await Promise.all(Array.from({ length: limits.concurrency }, client));
  } finally {
    agent.destroy();
  }
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p95: at(0.95), requests: times.length };
}
