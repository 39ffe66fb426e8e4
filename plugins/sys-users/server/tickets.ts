import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { hashOfLink, newLinkToken } from './secret-links.ts';

/** The purpose of a link. A `handed` link comes from an administrator, so opening it does not prove that a mail was read. */
export type TicketKind = 'reset' | 'handed' | 'verify' | 'step';

/** The kinds that set a new password. */
export const resetKinds = ['reset', 'handed'] as const;

/** The kinds that end with sessions: a step of a sign-in was reached by a password that somebody else may know. */
export const kindsOfSessions = [...resetKinds, 'step'] as const;

/** Milliseconds for which a link is valid. */
export const lifetimes: Readonly<Record<TicketKind, number>> = {
  reset: 30 * 60_000,
  handed: 24 * 3600_000,
  verify: 7 * 24 * 3600_000,
  step: 10 * 60_000,
};

interface TicketRow {
  readonly kind: TicketKind;
  readonly account_id: string;
  readonly note: string | null;
  readonly expires_at: number | string;
}

/** The account of a link, or why it is invalid. */
export type TicketFound =
  | { readonly state: 'valid'; readonly kind: TicketKind; readonly accountId: string; readonly note: string }
  | { readonly state: 'expired' | 'unknown' };

/**
 * Links in mails: each works once and for a limited time, an account has one of each kind, the newest, and only digests are stored.
 */
export class Tickets {
  readonly #db: PluginDatabase;
  readonly #now: () => number;

  constructor(db: PluginDatabase, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** @param note data for the use of the ticket; at most 1,000 characters */
  async issue(
    kind: TicketKind,
    accountId: string,
    note = '',
  ): Promise<{ readonly token: string; readonly until: number }> {
    const { token, hash } = newLinkToken();
    const until = this.#now() + lifetimes[kind];
    const place = { account_id: accountId, kind };
    const fresh = { token_hash: hash, expires_at: until, note };
    await this.#db.writeKey(async (unit) => {
      if ((await unit.run(unit.table('ticket').where(place).update(fresh))) === 0)
        await unit.run(unit.table('ticket').insert({ ...place, ...fresh }));
    });
    return { token, until };
  }

  read(kinds: readonly TicketKind[], token: string): Promise<TicketFound> {
    return this.#db.read((unit) => this.#find(unit, kinds, token));
  }

  /** Consumes a link, in the transaction that uses it; of two concurrent uses, one succeeds. */
  async take(kinds: readonly TicketKind[], token: string, unit: PluginUnit): Promise<TicketFound> {
    const found = await this.#find(unit, kinds, token);
    if (found.state !== 'valid') return found;
    const taken = await unit.run(
      unit
        .table('ticket')
        .where({ token_hash: hashOfLink(token) ?? '' })
        .delete(),
    );
    return taken === 0 ? { state: 'unknown' } : found;
  }

  /** Revokes the links of an account with these purposes. */
  async revoke(accountId: string, kinds: readonly TicketKind[], unit: PluginUnit): Promise<void> {
    await unit.run(
      unit
        .table('ticket')
        .where({ account_id: accountId })
        .whereIn('kind', [...kinds])
        .delete(),
    );
  }

  async sweep(): Promise<void> {
    // A day longer than they are valid, so that a late person gets the right error.
    const since = this.#now() - 24 * 3600_000;
    await this.#db.write((unit) => unit.run(unit.table('ticket').where('expires_at', '<=', since).delete()));
  }

  async #find(unit: PluginUnit, kinds: readonly TicketKind[], token: string): Promise<TicketFound> {
    const hash = hashOfLink(token);
    if (hash === undefined) return { state: 'unknown' };
    const row = await unit.first<TicketRow>(
      unit
        .table('ticket')
        .where({ token_hash: hash })
        .whereIn('kind', [...kinds])
        .select('kind', 'account_id', 'expires_at', 'note'),
    );
    if (row === undefined) return { state: 'unknown' };
    return Number(row.expires_at) > this.#now()
      ? { state: 'valid', kind: row.kind, accountId: row.account_id, note: row.note ?? '' }
      : { state: 'expired' };
  }
}
