import { ApiError, type ApiClient } from '@trellis/sdk/web';
import type { Diagnostic } from './diagnostics.ts';

/** Where errors are reported. No hooks run for such a request, because a plugin's handler may be what failed. */
export const clientErrorsPath = '/api/v1/plugins/client-errors';

const minute = 60_000;
const perPlugin = 10;
const perPlace = 3;
const longestHeld = 100;
const longestMemory = 500;

export interface ClientErrorReporterOptions {
  /** The server accepts reports only from signed-in people. */
  readonly isSignedIn: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

interface Held {
  readonly item: Diagnostic;
  readonly told: (place: string | undefined) => void;
}

interface Sent {
  readonly pluginId: string;
  readonly where: string;
  readonly time: number;
}

/**
 * Reports contained errors to the server, so that an administrator sees them. Each is sent once, with a limit per minute for each
 * place and each plugin, so that one plugin's errors do not hide another's.
 */
export class ClientErrorReporter {
  readonly #api: ApiClient;
  readonly #isSignedIn: () => boolean;
  readonly #now: () => number;
  #sent: readonly Sent[] = [];
  /** What was sent, oldest first. */
  readonly #told = new Set<string>();
  #held: readonly Held[] = [];

  constructor(api: ApiClient, { isSignedIn, now = Date.now }: ClientErrorReporterOptions) {
    this.#api = api;
    this.#isSignedIn = isSignedIn;
    this.#now = now;
  }

  /**
   * Sends the report, or keeps it until `flush`: plugins start before it is known who is signed in. Resolves when the server has
   * it, with the place in the plugin's sources, such as `web/index.tsx:3:9`, if that is known.
   */
  async report(item: Diagnostic): Promise<string | undefined> {
    if (this.#isSignedIn()) return this.#send(item);
    return new Promise((told) => {
      if (this.#held.length < longestHeld) this.#held = [...this.#held, { item, told }];
    });
  }

  /** Sends the kept reports; call it when somebody is signed in. */
  async flush(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    await Promise.all(held.map(async ({ item, told }) => told(await this.#send(item))));
  }

  async #send(item: Diagnostic): Promise<string | undefined> {
    if (!this.#mayTell(item)) return undefined;
    const { pluginId, where, message, thrownAt } = item;
    try {
      const answer = await this.#api.request<{ readonly place?: string } | undefined>({
        method: 'POST',
        path: clientErrorsPath,
        body: {
          pluginId,
          where: where.slice(0, 200),
          message: message.slice(0, 1000),
          ...(thrownAt !== undefined && { thrownAt: thrownAt.slice(0, 500) }),
        },
      });
      return answer?.place;
    } catch (error) {
      // The page shows the error anyway; a report that does not arrive must not cause another error.
      if (!(error instanceof ApiError)) throw error;
      return undefined;
    }
  }

  /** Whether it is new and within the limits of its plugin and its place; if so, it counts as sent. */
  #mayTell({ pluginId, where, message }: Diagnostic): boolean {
    const text = JSON.stringify([pluginId, where, message]);
    if (this.#told.has(text)) return false;
    const time = this.#now();
    this.#sent = this.#sent.filter((sent) => time - sent.time < minute);
    const ofPlugin = this.#sent.filter((sent) => sent.pluginId === pluginId);
    const ofPlace = ofPlugin.filter((sent) => sent.where === where);
    if (ofPlugin.length >= perPlugin || ofPlace.length >= perPlace) return false;
    this.#sent = [...this.#sent, { pluginId, where, time }];
    this.#told.add(text);
    for (const oldest of this.#told) {
      if (this.#told.size <= longestMemory) break;
      this.#told.delete(oldest);
    }
    return true;
  }
}
