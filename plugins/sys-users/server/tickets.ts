import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { hashOfLink, newLinkToken } from './secret-links.ts';

/** What a link in a mail is for. */
export type TicketKind = 'reset' | 'verify';

/** Milliseconds that a link works. */
export const lifetimes: Readonly<Record<TicketKind, number>> = {
  reset: 30 * 60_000,
  verify: 7 * 24 * 3600_000,
};

interface TicketRow {
  readonly account_id: string;
  readonly expires_at: number | string;
}

/** Whose link it is, or why it does not work. */
export type TicketFound =
  { readonly state: 'valid'; readonly accountId: string } | { readonly state: 'expired' | 'unknown' };

/** Links in mails: each works once and for a while, an account has one of each kind, the newest, and only digests are kept. */
export class Tickets {
  readonly #db: PluginDatabase;
  readonly #now: () => number;

  constructor(db: PluginDatabase, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  async issue(
    kind: TicketKind,
    accountId: string,
  ): Promise<{ readonly token: string; readonly until: number }> {
    const { token, hash } = newLinkToken();
    const until = this.#now() + lifetimes[kind];
    const place = { account_id: accountId, kind };
    const fresh = { token_hash: hash, expires_at: until };
    await this.#db.write(async (unit) => {
      if ((await unit.run(unit.table('ticket').where(place).update(fresh))) === 0)
        await unit.run(unit.table('ticket').insert({ ...place, ...fresh }));
    });
    return { token, until };
  }

  read(kind: TicketKind, token: string): Promise<TicketFound> {
    return this.#db.read((unit) => this.#find(unit, kind, token));
  }

  /** Uses a link up, in the transaction that does what it is for; of two that come with it at once, one gets through. */
  async take(kind: TicketKind, token: string, unit: PluginUnit): Promise<TicketFound> {
    const found = await this.#find(unit, kind, token);
    if (found.state !== 'valid') return found;
    const taken = await unit.run(
      unit
        .table('ticket')
        .where({ kind, token_hash: hashOfLink(token) ?? '' })
        .delete(),
    );
    return taken === 0 ? { state: 'unknown' } : found;
  }

  async sweep(): Promise<void> {
    // A day longer than they work, so that somebody who is late is told so.
    const since = this.#now() - 24 * 3600_000;
    await this.#db.write((unit) => unit.run(unit.table('ticket').where('expires_at', '<=', since).delete()));
  }

  async #find(unit: PluginUnit, kind: TicketKind, token: string): Promise<TicketFound> {
    const hash = hashOfLink(token);
    if (hash === undefined) return { state: 'unknown' };
    const row = await unit.first<TicketRow>(
      unit.table('ticket').where({ kind, token_hash: hash }).select('account_id', 'expires_at'),
    );
    if (row === undefined) return { state: 'unknown' };
    return Number(row.expires_at) > this.#now()
      ? { state: 'valid', accountId: row.account_id }
      : { state: 'expired' };
  }
}
