import { createHash, randomBytes } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { ProjectRole } from '@trellis/sdk/shared';
import { mostTokens } from '../shared/index.ts';
import { tokenErrors } from './token-errors.ts';

/** Milliseconds for which this process caches a token; one that is deleted here is removed at once. */
const trust = 500;
/** Milliseconds between two records of a token's last use. */
const notePause = 60_000;
const remembered = 10_000;

interface TokenRow {
  readonly id: string;
  readonly hint: string;
  readonly account_id: string;
  /** Empty for all projects of the owner. */
  readonly project_id: string;
  readonly description: string;
  readonly role: ProjectRole;
  readonly expires_at: number | string | null;
  readonly created_at: number | string;
  readonly last_used_at: number | string | null;
}

/** A token without its text, of which only the digest is stored. Times are milliseconds since 1970, UTC. */
export interface StoredToken {
  readonly id: string;
  readonly hint: string;
  readonly accountId: string;
  readonly projectId: string | undefined;
  readonly description: string;
  readonly role: ProjectRole;
  readonly expiresAt: number | undefined;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

export type NewToken = Pick<StoredToken, 'accountId' | 'projectId' | 'description' | 'role' | 'expiresAt'>;

/** The tokens of all people; the caller has checked the rights. */
export class TokenStore {
  readonly #db: PluginDatabase;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly token: StoredToken | undefined; readonly readAt: number }>();
  readonly #noted = new Map<string, number>();

  constructor(db: PluginDatabase, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** @returns the token with its text, which cannot be read again. */
  async create(of: NewToken): Promise<{ readonly token: StoredToken; readonly text: string }> {
    const text = newTokenText();
    const row = {
      id: `to_${randomBytes(8).toString('hex').slice(0, 14)}`,
      token_hash: digest(text),
      hint: text.slice(0, 7),
      account_id: of.accountId,
      project_id: of.projectId ?? '',
      description: of.description,
      role: of.role,
      expires_at: of.expiresAt ?? null,
      created_at: this.#now(),
      last_used_at: null,
    };
    await this.#db.write(async (unit) => {
      const own = await unit.all(
        unit.table('token').where({ account_id: of.accountId }).limit(mostTokens).select('id'),
      );
      if (own.length >= mostTokens) throw tokenErrors.create('TOO_MANY_TOKENS');
      await unit.run(unit.table('token').insert(row));
    });
    return { token: toToken(row), text };
  }

  /** The newest first. */
  async list(where: {
    readonly accountId?: string;
    readonly projectId?: string;
  }): Promise<readonly StoredToken[]> {
    const columns = {
      ...(where.accountId !== undefined && { account_id: where.accountId }),
      ...(where.projectId !== undefined && { project_id: where.projectId }),
    };
    const rows = await this.#db.read((unit) =>
      unit.all<TokenRow>(unit.table('token').where(columns).orderBy('created_at', 'desc').select('*')),
    );
    return rows.map(toToken);
  }

  /** The token with this id or text; undefined for an unknown one. */
  async find(idOrText: string): Promise<StoredToken | undefined> {
    const by: Readonly<Record<string, string>> = isTokenText(idOrText)
      ? { token_hash: digest(idOrText) }
      : { id: idOrText };
    return this.#db.read((unit) => this.#first(unit, by));
  }

  async delete({ id }: StoredToken): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('token').where({ id }).delete()));
    this.#known.clear();
  }

  deleteOfProject(projectId: string): Promise<void> {
    return this.#deleteAll({ project_id: projectId });
  }

  deleteOfAccount(accountId: string): Promise<void> {
    return this.#deleteAll({ account_id: accountId });
  }

  async #deleteAll(where: Readonly<Record<string, string>>): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('token').where(where).delete()));
    this.#known.clear();
  }

  /** The token of a request, unless it has expired; if another server deleted it, the answer may be half a second old. */
  async use(text: string): Promise<StoredToken | undefined> {
    if (!isTokenText(text)) return undefined;
    const hash = digest(text);
    const at = this.#now();
    let known = this.#known.get(hash);
    if (known === undefined || at - known.readAt >= trust || at < known.readAt) {
      const token = await this.#db.read((unit) => this.#first(unit, { token_hash: hash }));
      known = { token, readAt: at };
      if (this.#known.size >= remembered) this.#known.clear();
      this.#known.set(hash, known);
    }
    const { token } = known;
    return token === undefined || isOver(token, at) ? undefined : token;
  }

  /** Whether the token with this id exists, is not expired and belongs to this account. */
  async isGood(id: string, accountId: string): Promise<boolean> {
    const token = await this.#db.read((unit) => this.#first(unit, { id, account_id: accountId }));
    return token !== undefined && !isOver(token, this.#now());
  }

  /** Records that a token was used now, at most once a minute. */
  async noteUse({ id }: StoredToken): Promise<void> {
    const at = this.#now();
    if (at - (this.#noted.get(id) ?? 0) < notePause) return;
    if (this.#noted.size >= remembered) this.#noted.clear();
    this.#noted.set(id, at);
    await this.#db.write((unit) => unit.run(unit.table('token').where({ id }).update({ last_used_at: at })));
  }

  async #first(unit: PluginUnit, where: Readonly<Record<string, string>>): Promise<StoredToken | undefined> {
    const row = await unit.first<TokenRow>(unit.table('token').where(where).select('*'));
    return row && toToken(row);
  }
}

function isOver({ expiresAt }: StoredToken, at: number): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}

/** 40 characters with 222 random bits; the prefix identifies it to people and to scanners for leaked secrets. */
function newTokenText(): string {
  return `tr_${randomBytes(30).toString('base64url').slice(0, 37)}`;
}

function isTokenText(text: string): boolean {
  return /^tr_[\w-]{37}$/.test(text);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function toToken(row: TokenRow): StoredToken {
  const time = (value: number | string | null) => (value === null ? undefined : Number(value));
  return {
    id: row.id,
    hint: row.hint,
    accountId: row.account_id,
    projectId: row.project_id === '' ? undefined : row.project_id,
    description: row.description,
    role: row.role,
    expiresAt: time(row.expires_at),
    createdAt: Number(row.created_at),
    lastUsedAt: time(row.last_used_at),
  };
}
