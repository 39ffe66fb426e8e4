import type { BusConnection } from '@trellis/sdk/server';

/** One text between two servers: messages in the order in which they were published, and topics of which some were lost. */
export interface Envelope {
  /** The process that sends. */
  readonly from: string;
  readonly messages: readonly (readonly [topic: string, message: unknown])[];
  readonly lost: readonly string[];
}

interface Waiting {
  readonly topic: string;
  /** The JSON of `[topic, message]`. */
  readonly json: string;
  readonly bytes: number;
}

export interface SenderOptions {
  /** The id of this process. */
  readonly from: string;
  /** The largest text that the connection takes, in bytes. */
  readonly largest: number;
  readonly connection: BusConnection;
}

/** More messages than this in waiting are not sent: the other servers are told to read their topics again. */
const mostWaiting = 1000;

/**
 * Sends messages over one connection, one text at a time; what is published meanwhile travels together in the next one.
 * A message that cannot be sent is forgotten and its topic named as lost, as soon as a text goes through again.
 */
export class Sender {
  readonly #options: SenderOptions;
  #waiting: Waiting[] = [];
  readonly #lost = new Set<string>();
  #sending: Promise<void> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  add(topic: string, message: unknown): void {
    const json = JSON.stringify([topic, message]);
    const bytes = Buffer.byteLength(json);
    const isTooLarge = bytes + this.#frameBytes([]) > this.#options.largest;
    if (isTooLarge || this.#waiting.length >= mostWaiting) this.#lost.add(topic);
    else this.#waiting.push({ topic, json, bytes });
    this.flush();
  }

  /** Sends what waits. Called again when the connection is there again. */
  flush(): void {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when nothing is on its way. */
  async settle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Messages published in the same turn travel in one text.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#lost.size > 0) {
      const lost = [...this.#lost];
      const packed = this.#take(lost);
      this.#lost.clear();
      try {
        await this.#options.connection.send(this.#text(packed, lost));
      } catch {
        // The transport tells its errors itself; here it only matters whose messages did not get through.
        for (const topic of lost) this.#lost.add(topic);
        for (const { topic } of [...packed, ...this.#waiting]) this.#lost.add(topic);
        this.#waiting = [];
        return;
      }
    }
  }

  /** Takes as many messages as fit into one text; none when the lost topics leave no room. */
  #take(lost: readonly string[]): readonly Waiting[] {
    let room = this.#options.largest - this.#frameBytes(lost);
    let count = 0;
    for (const { bytes } of this.#waiting) {
      // One more for the comma.
      room -= bytes + 1;
      if (room < 0) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #frameBytes(lost: readonly string[]): number {
    return Buffer.byteLength(this.#text([], lost));
  }

  #text(packed: readonly Waiting[], lost: readonly string[]): string {
    const from = JSON.stringify(this.#options.from);
    const messages = packed.map(({ json }) => json).join(',');
    return `{"from":${from},"lost":${JSON.stringify(lost)},"messages":[${messages}]}`;
  }
}

/** Undefined for a text that no server of ours sent. */
export function readEnvelope(text: string): Envelope | undefined {
  let parsed: Partial<Envelope> | null;
  try {
    parsed = JSON.parse(text) as Partial<Envelope> | null;
  } catch {
    return undefined;
  }
  const { from, messages, lost } = parsed ?? {};
  if (typeof from !== 'string' || !Array.isArray(messages) || !Array.isArray(lost)) return undefined;
  const isWhole = messages.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string');
  return isWhole ? { from, messages, lost } : undefined;
}
