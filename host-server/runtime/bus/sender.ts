import type { BusConnection } from '@trellis/sdk/server';

/** One text between two servers: messages in the order of publication, and topics of which some messages were lost. */
export interface Envelope {
  /** The sending process. */
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
  /** The most bytes of a text that the connection accepts. */
  readonly largest: number;
  readonly connection: BusConnection;
  /** Milliseconds after a text in which messages gather for the next one. */
  readonly pause: number;
}

/** With more waiting messages than this, further ones are not sent: other servers are told to read their topics again. */
const mostWaiting = 1000;

/**
 * Sends messages over one connection, one text at a time. After a quiet moment a message is sent at once. Messages published
 * while it is sent, and in the pause after it, share the next text, since every text is work for a database and for all servers.
 * A message that cannot be sent is dropped, and its topic is reported as lost as soon as a text gets through again.
 */
export class Sender {
  readonly #options: SenderOptions;
  #waiting: Waiting[] = [];
  readonly #lost = new Set<string>();
  #sending: Promise<void> | undefined;
  /** Runs while messages gather. */
  #pause: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  add(topic: string, message: unknown): void {
    const json = JSON.stringify([topic, message]);
    const bytes = Buffer.byteLength(json);
    const isTooLarge = bytes + this.#frameBytes([]) > this.#options.largest;
    if (isTooLarge || this.#waiting.length >= mostWaiting) this.#lost.add(topic);
    else this.#waiting.push({ topic, json, bytes });
    // The queue is bounded, so the pause is skipped when many messages wait.
    if (this.#pause === undefined || this.#waiting.length > mostWaiting / 2) this.flush();
  }

  /** Sends waiting messages without a pause. Called again when the connection is restored. */
  flush(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#sending ??= this.#sendAll().then((isThrough) => {
      this.#sending = undefined;
      if (isThrough && !this.#isEnding) this.#gather();
    });
  }

  /** Sends waiting messages for the last time. Resolves when nothing is being sent. */
  async settle(): Promise<void> {
    this.#isEnding = true;
    await this.#sending;
    this.flush();
    await this.#sending;
  }

  #gather(): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#waiting.length > 0 || this.#lost.size > 0) this.flush();
    }, this.#options.pause);
  }

  /** False when a text was not sent: the next one is sent with the next message, or when the connection is restored. */
  async #sendAll(): Promise<boolean> {
    // Messages published in the same turn travel in one text.
    await Promise.resolve();
    for (let isFull = true; isFull && (this.#waiting.length > 0 || this.#lost.size > 0);) {
      const lost = [...this.#lost];
      const packed = this.#take(lost);
      isFull = this.#waiting.length > 0;
      this.#lost.clear();
      try {
        await this.#options.connection.send(this.#text(packed, lost));
      } catch {
        // The transport reports its errors itself; here only the topics of the lost messages matter.
        for (const topic of lost) this.#lost.add(topic);
        for (const { topic } of [...packed, ...this.#waiting]) this.#lost.add(topic);
        this.#waiting = [];
        return false;
      }
    }
    return true;
  }

  /** Takes as many messages as fit into one text; none when the lost topics leave no room. */
  #take(lost: readonly string[]): readonly Waiting[] {
    let room = this.#options.largest - this.#frameBytes(lost);
    let count = 0;
    for (const { bytes } of this.#waiting) {
      // Plus one byte for the comma.
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

/** Undefined for a text that was not sent by a server of this product. */
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
