import { createHash, randomBytes } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';

/** Milliseconds that a session lives after its last refresh: a week. */
const lifetime = 7 * 24 * 60 * 60 * 1000;
/** Milliseconds: two tabs may refresh with the same cookie at the same time, and the slower one is no thief. */
const rotationGrace = 30_000;
/** Milliseconds for which this process caches a session; sessions that end on this server are removed at once. */
const trust = 500;

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly refresh_hash: string;
  readonly former_hash: string | null;
  readonly rotated_at: number | string;
  readonly created_at: number | string;
  readonly agent: string | null;
  readonly ip: string | null;
  readonly expires_at: number | string;
}

/** A session that was ended early; without an id, all of the account. */
export interface EndedSession {
  readonly accountId: string;
  readonly id?: string;
}

/** The device of a sign-in. */
export interface Device {
  /** The browser's user agent. */
  readonly agent: string | undefined;
  readonly ip: string;
}

/** A session in the list of those that can be ended; times are milliseconds since 1970. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: number;
  /** The last refresh, which pages do every few hours. */
  readonly refreshedAt: number;
  readonly agent: string;
  readonly ip: string;
}

export interface SessionsOptions {
  /** Called when sessions were ended, after the commit: their live sockets end with them. */
  readonly onDidEnd?: (ended: EndedSession) => void;
  readonly now?: () => number;
}

export interface OpenSession {
  readonly id: string;
  readonly accountId: string;
  /** For the cookie: `<session id>.<40 bytes hex>`. Absent if the browser's cookie is still valid. */
  readonly refreshToken?: string;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Sessions: one row per sign-in. The refresh token rotates; if a former one is used, the session ends, because somebody has a copy.
 */
export class Sessions {
  readonly #db: PluginDatabase;
  readonly #now: () => number;
  readonly #onDidEnd: (ended: EndedSession) => void;
  readonly #known = new Map<string, { readonly alive: boolean; readonly readAt: number }>();

  constructor(db: PluginDatabase, options: SessionsOptions = {}) {
    this.#db = db;
    this.#now = options.now ?? Date.now;
    this.#onDidEnd = options.onDidEnd ?? (() => {});
  }

  open(accountId: string, { agent = '', ip }: Device, within?: PluginUnit): Promise<OpenSession> {
    const id = randomBytes(15).toString('hex');
    const { token, hash } = newToken(id);
    const at = this.#now();
    const insert = async (unit: PluginUnit) => {
      await unit.run(
        unit.table('session').insert({
          id,
          account_id: accountId,
          refresh_hash: hash,
          rotated_at: at,
          created_at: at,
          expires_at: at + lifetime,
          agent: agent.replace(/[^\x20-\x7e]/g, '').slice(0, 300),
          ip: ip.slice(0, 60),
        }),
      );
      return { id, accountId, refreshToken: token };
    };
    return within ? insert(within) : this.#db.write(insert);
  }

  /** Gives the session of a refresh token a new one. Throws 401 if there is none. */
  async refresh(token: string): Promise<OpenSession> {
    const [id = ''] = token.split('.');
    if (!/^[0-9a-f]{30}\.[0-9a-f]{80}$/.test(token)) throw authErrors.create('INVALID_REFRESH_TOKEN');
    const hash = digest(token);
    const next = newToken(id);
    const at = this.#now();
    const outcome = await this.#db.write(async (unit) => {
      const session = () => unit.table('session').where({ id });
      const rotated = await unit.run(
        session()
          .where({ refresh_hash: hash })
          .where('expires_at', '>', at)
          .update({ refresh_hash: next.hash, former_hash: hash, rotated_at: at, expires_at: at + lifetime }),
      );
      const row = await unit.first<SessionRow>(session().select('*'));
      if (row === undefined || Number(row.expires_at) <= at) return undefined;
      if (rotated > 0) return { row, refreshToken: next.token };
      if (row.former_hash === hash && at - Number(row.rotated_at) < rotationGrace) return { row };
      await unit.run(session().delete());
      return { stolen: row };
    });
    if (outcome === undefined) throw authErrors.create('INVALID_REFRESH_TOKEN');
    if (outcome.stolen !== undefined) {
      this.#didEnd({ accountId: outcome.stolen.account_id, id });
      throw authErrors.create('INVALID_REFRESH_TOKEN');
    }
    return { id, accountId: outcome.row.account_id, refreshToken: outcome.refreshToken };
  }

  /** Whether the session is alive; if another server ended it, the answer may be half a second old. */
  isAlive(id: string): boolean | Promise<boolean> {
    const known = this.#known.get(id);
    const at = this.#now();
    return known !== undefined && at - known.readAt < trust && at >= known.readAt
      ? known.alive
      : this.#readAlive(id, at);
  }

  async #readAlive(id: string, at: number): Promise<boolean> {
    const row = await this.#db.read((unit) =>
      unit.first<Pick<SessionRow, 'expires_at'>>(unit.table('session').where({ id }).select('expires_at')),
    );
    const alive = row !== undefined && Number(row.expires_at) > at;
    if (this.#known.size > 10_000) this.#known.clear();
    this.#known.set(id, { alive, readAt: at });
    return alive;
  }

  /** Resolves to whether it was a session of the account. */
  async end(session: Required<EndedSession>): Promise<boolean> {
    const { accountId, id } = session;
    const ended = await this.#db.write((unit) =>
      unit.run(unit.table('session').where({ id, account_id: accountId }).delete()),
    );
    this.#didEnd(session);
    return ended > 0;
  }

  /** The sessions of an account, the newest first. */
  async list(accountId: string): Promise<readonly ListedSession[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<SessionRow>(
        unit
          .table('session')
          .where({ account_id: accountId })
          .where('expires_at', '>', this.#now())
          .orderBy('created_at', 'desc')
          .select('*'),
      ),
    );
    return rows.map(({ id, created_at, rotated_at, agent, ip }) => ({
      id,
      createdAt: Number(created_at),
      refreshedAt: Number(rotated_at),
      agent: agent ?? '',
      ip: ip ?? '',
    }));
  }

  /** Ends every session of an account, in the transaction that changes its password; call `didEndAll` after its commit. */
  async endAll(accountId: string, unit: PluginUnit): Promise<void> {
    await unit.run(unit.table('session').where({ account_id: accountId }).delete());
  }

  didEndAll(accountId: string): void {
    this.#didEnd({ accountId });
  }

  #didEnd(ended: EndedSession): void {
    if (ended.id === undefined) this.#known.clear();
    else this.#known.delete(ended.id);
    this.#onDidEnd(ended);
  }

  async sweep(): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('session').where('expires_at', '<=', this.#now()).delete()),
    );
  }
}

function newToken(id: string): { readonly token: string; readonly hash: string } {
  const token = `${id}.${randomBytes(40).toString('hex')}`;
  return { token, hash: digest(token) };
}
