import { toDisposable, type Disposable, type RegistryView } from '@trellis/core';
import type {
  Bus,
  BusConnection,
  BusListener,
  BusOrigin,
  BusTopics,
  BusTransport,
  Logger,
} from '@trellis/sdk/server';
import { randomText } from '../ids.ts';
import { readEnvelope, Sender } from './sender.ts';

export interface HostBusDependencies {
  readonly transports: RegistryView<BusTransport>;
  /** Carries messages while no plugin provides a transport; undefined if the metadata database cannot. */
  readonly own: BusTransport | undefined;
  readonly logger: Logger;
  /** Milliseconds after a message in which further messages to other servers gather. Default 15. */
  readonly pause?: number;
}

/** The transport in use, with its connection. */
interface Line {
  readonly transport: BusTransport;
  readonly connection: BusConnection;
  readonly sender: Sender;
}

type Listener = BusListener<unknown>;

/** Delivers within this process at once, and to other servers by the transport that is registered at the moment. */
export class HostBus implements Bus, Disposable {
  readonly #deps: HostBusDependencies;
  readonly #id = randomText(16);
  /** Sets are replaced and never changed, so a delivery uses the listeners that it began with. */
  readonly #listeners = new Map<string, ReadonlySet<Listener>>();
  readonly #following: Disposable;
  #line: Line | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(deps: HostBusDependencies) {
    this.#deps = deps;
    this.#following = deps.transports.onDidChange(() => this.#choose());
    this.#choose();
  }

  publish<Topic extends keyof BusTopics>(topic: Topic, message: BusTopics[Topic]): void {
    this.#deliver(topic, message, 'here');
    this.#line?.sender.add(topic, message);
  }

  subscribe<Topic extends keyof BusTopics>(
    topic: Topic,
    listener: BusListener<BusTopics[Topic]>,
  ): Disposable {
    // A listener that subscribes twice is called twice, and each disposable removes one of the two.
    const own: Listener = {
      message: (message, origin) => listener.message(message as BusTopics[Topic], origin),
      gap: () => listener.gap(),
    };
    this.#listeners.set(topic, new Set(this.#listeners.get(topic)).add(own));
    return toDisposable(() => {
      const rest = new Set(this.#listeners.get(topic));
      rest.delete(own);
      this.#listeners.set(topic, rest);
    });
  }

  /** Whether messages reach other servers at all. */
  get hasTransport(): boolean {
    return this.#line !== undefined;
  }

  /** Informs the listeners of this process about a fact that it found out itself about another server. */
  hear<Topic extends keyof BusTopics>(topic: Topic, message: BusTopics[Topic]): void {
    this.#deliver(topic, message, 'elsewhere');
  }

  async dispose(): Promise<void> {
    await this.#following.dispose();
    this.#hangUp();
    this.#listeners.clear();
    await this.#closing;
  }

  #choose(): void {
    const transport = this.#deps.transports.list()[0] ?? this.#deps.own;
    if (transport === this.#line?.transport) return;
    this.#hangUp();
    if (transport !== undefined) this.#line = this.#open(transport);
  }

  #open(transport: BusTransport): Line {
    const { logger, pause = 15 } = this.#deps;
    const connection = transport.open({
      receive: (text) => this.#receive(text),
      connected: () => {
        for (const topic of this.#listeners.keys()) this.#tellGap(topic);
        this.#line?.sender.flush();
      },
      onError: (error) =>
        logger.warn('Messages between servers do not get through', { transport: transport.id, error }),
    });
    const sender = new Sender({ from: this.#id, largest: transport.largest, connection, pause });
    return { transport, connection, sender };
  }

  #hangUp(): void {
    const line = this.#line;
    this.#line = undefined;
    if (line === undefined) return;
    const close = async () => {
      await line.sender.settle();
      await line.connection.close();
    };
    this.#closing = Promise.all([this.#closing, close()]).then(
      () => undefined,
      (error: unknown) =>
        this.#deps.logger.warn('A connection between servers could not be closed', { error }),
    );
  }

  #receive(text: string): void {
    const envelope = readEnvelope(text);
    if (envelope === undefined) {
      this.#deps.logger.warn('A message that is none of ours came from between the servers', {
        characters: text.length,
      });
      return;
    }
    if (envelope.from === this.#id) return;
    for (const [topic, message] of envelope.messages) this.#deliver(topic, message, 'elsewhere');
    for (const topic of envelope.lost) this.#tellGap(topic);
  }

  #deliver(topic: string, message: unknown, origin: BusOrigin): void {
    this.#each(topic, (listener) => listener.message(message, origin));
  }

  #tellGap(topic: string): void {
    this.#each(topic, (listener) => listener.gap());
  }

  #each(topic: string, tell: (listener: Listener) => void): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        tell(listener);
      } catch (error) {
        this.#deps.logger.error('A listener of the bus failed', { topic, error });
      }
    }
  }
}
