import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { BusConnection, BusTransport, BusTransportEvents } from '@trellis/sdk/server';
import type { ServerTarget } from '../database.ts';
import { loneClient, POSTGRES_DRIVER, takeLeave, type PostgresConnection } from './postgres-driver.ts';

/** A payload of NOTIFY must be shorter than 8,000 bytes (PostgreSQL documentation, NOTIFY). */
const largest = 7999;
const firstDelay = 100;
const longestDelay = 10_000;
/** Milliseconds between heartbeats, which detect a connection that died silently. */
const heartbeat = 15_000;
const patience = 5000;

/** Installations that share a database have separate schemas, and do not receive each other's messages. */
function channelOf({ schema }: ServerTarget): string {
  return schema === undefined
    ? 'trellis'
    : `trellis_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}

/** Carries messages by LISTEN and NOTIFY on a separate connection. */
export function createPostgresBus(target: ServerTarget): BusTransport {
  return { id: 'postgres', largest, open: (events) => new PostgresChannel(target, events) };
}

/** One connection that listens. It is opened again, with growing pauses, whenever it is lost. */
class PostgresChannel implements BusConnection {
  readonly #target: ServerTarget;
  readonly #channel: string;
  readonly #events: BusTransportEvents;
  #client: pg.Client | undefined;
  #connecting: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #delay = firstDelay;
  #isClosed = false;

  constructor(target: ServerTarget, events: BusTransportEvents) {
    this.#target = target;
    this.#channel = channelOf(target);
    this.#events = events;
    this.#connecting = this.#connect();
  }

  async send(text: string): Promise<void> {
    const client = this.#client;
    if (client === undefined) throw new Error('There is no connection to send the message by.');
    try {
      await client.query('select pg_notify($1, $2)', [this.#channel, text]);
    } catch (error) {
      this.#lose(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await takeLeave(client);
  }

  async #connect(): Promise<void> {
    const client = loneClient(this.#target, { application_name: 'trellis bus', query_timeout: patience });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The database ended the connection.')));
    client.on('notification', ({ payload }) => this.#events.receive(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${this.#channel}`);
    } catch (error) {
      await takeLeave(client);
      this.#events.onError(error);
      this.#connectLater();
      return;
    }
    this.#client = client;
    this.#delay = firstDelay;
    if (this.#isClosed) return;
    this.#beat(client);
    this.#events.connected();
  }

  /** Discards a connection and opens a new one; a second call for the same connection does nothing. */
  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    POSTGRES_DRIVER.destroy(client as PostgresConnection);
    if (this.#isClosed) return;
    this.#events.onError(error);
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    this.#after(this.#delay, () => {
      this.#connecting = this.#connect();
    });
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  #beat(client: pg.Client): void {
    this.#after(heartbeat, () => {
      client.query('select 1').then(
        () => {
          if (this.#client === client && !this.#isClosed) this.#beat(client);
        },
        (error: unknown) => this.#lose(client, error),
      );
    });
  }

  #after(milliseconds: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, milliseconds);
    this.#timer.unref();
  }
}
