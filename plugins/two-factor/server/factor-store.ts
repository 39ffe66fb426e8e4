import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { PluginDatabase, PluginUnit, RateLimiter, Secrets } from '@trellis/sdk/server';
import { factorErrors } from './factor-errors.ts';

const purpose = 'two-factor';
const setupPurpose = 'two-factor set-up';
/** Milliseconds within which a set-up must be confirmed. */
const setupLasts = 15 * 60_000;
const tries = { name: 'two-factor', limit: 10, windowSeconds: 15 * 60 };
const seconds = 30;
const recoveryCodes = 10;

interface SecretRow {
  readonly account_id: string;
  readonly sealed: string;
  readonly confirmed_at: number | string;
  readonly last_period: number | string;
}

/** The person of a second factor. */
export interface FactorOwner {
  readonly id: string;
  readonly email: string;
}

/** The secret for a phone, as a text to type and as an address for a QR code. */
export interface FactorSetup {
  readonly secret: string;
  readonly uri: string;
  /** The secret, sealed for its account and a limited time: the client sends it back with the first code. */
  readonly setup: string;
}

/** The content of `setup`. */
interface SealedSetup {
  readonly secret: string;
  readonly accountId: string;
  readonly until: number;
}

/** The sealed secrets of people's phones, and the digests of their recovery codes. */
export class FactorStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;
  readonly #limiter: RateLimiter;

  constructor(deps: {
    readonly db: PluginDatabase;
    readonly secrets: Secrets;
    readonly limiter: RateLimiter;
  }) {
    this.#db = deps.db;
    this.#secrets = deps.secrets;
    this.#limiter = deps.limiter;
  }

  async isSetUp(accountId: string): Promise<boolean> {
    const row = await this.#db.read((unit) => find(unit, accountId));
    return row !== undefined && Number(row.confirmed_at) > 0;
  }

  async recoveryCodesLeft(accountId: string): Promise<number> {
    const rows = await this.#db.read((unit) =>
      unit.all(unit.table('recovery').where({ account_id: accountId }).select('hash')),
    );
    return rows.length;
  }

  /**
   * A new secret for a phone. Nothing is stored until it is confirmed, so that nobody knows a secret that another person has
   * confirmed.
   *
   * @throws TrellisError `FACTOR_ALREADY_SET_UP`.
   */
  async begin(owner: FactorOwner): Promise<FactorSetup> {
    if (await this.isSetUp(owner.id)) throw factorErrors.create('FACTOR_ALREADY_SET_UP');
    const secret = new Secret({ size: 20 });
    const sealed: SealedSetup = {
      secret: secret.base32,
      accountId: owner.id,
      until: Date.now() + setupLasts,
    };
    return {
      secret: secret.base32,
      uri: totpOf(secret.base32, owner.email).toString(),
      setup: this.#secrets.encrypt(setupPurpose, JSON.stringify(sealed)),
    };
  }

  /**
   * Activates the second factor with a first code of the phone.
   *
   * @param setup the result of `begin` for this account
   * @returns the recovery codes, which cannot be read again
   * @throws TrellisError `FACTOR_NOT_BEGUN`, `FACTOR_ALREADY_SET_UP`, `FACTOR_CODE_WRONG`, 429 `TOO_MANY_TRIES`.
   */
  async confirm(owner: FactorOwner, code: string, setup: string): Promise<readonly string[]> {
    await this.#limiter.consume(tries, owner.id);
    const secret = this.#secretIn(setup, owner);
    const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
    await this.#db.writeKey(async (unit) => {
      const known = await find(unit, owner.id);
      if (known !== undefined && Number(known.confirmed_at) > 0)
        throw factorErrors.create('FACTOR_ALREADY_SET_UP');
      const place = { account_id: owner.id };
      const row = { ...place, sealed: this.#secrets.encrypt(purpose, secret), confirmed_at: Date.now() };
      // A concurrently confirmed one stays, and its key conflicts with the insert.
      await unit.run(
        unit
          .table('secret')
          .where({ ...place, confirmed_at: 0 })
          .delete(),
      );
      await unit.run(unit.table('secret').insert({ ...row, last_period: 0 }));
      if (!(await this.#takePeriod(unit, row, code))) throw factorErrors.create('FACTOR_CODE_WRONG');
      await unit.run(unit.table('recovery').where(place).delete());
      for (const recovery of codes)
        await unit.run(unit.table('recovery').insert({ ...place, hash: digest(recovery) }));
    });
    await this.#limiter.reset(tries.name, owner.id);
    return codes;
  }

  /** @throws TrellisError `FACTOR_NOT_BEGUN` for a set-up of another account, or one that is too old. */
  #secretIn(setup: string, owner: FactorOwner): string {
    const { secret, accountId, until } = this.#opened(setup);
    if (accountId !== owner.id || until <= Date.now()) throw factorErrors.create('FACTOR_NOT_BEGUN');
    return secret;
  }

  #opened(setup: string): SealedSetup {
    try {
      return JSON.parse(this.#secrets.decrypt(setupPurpose, setup)) as SealedSetup;
    } catch {
      throw factorErrors.create('FACTOR_NOT_BEGUN');
    }
  }

  /** Consumes a code of the phone, or a recovery code. @throws TrellisError `FACTOR_CODE_WRONG`, 429 `TOO_MANY_TRIES`. */
  async check(owner: FactorOwner, code: string): Promise<void> {
    await this.#limiter.consume(tries, owner.id);
    const isRight = await this.#db.write(async (unit) => {
      const row = await find(unit, owner.id);
      if (row === undefined || Number(row.confirmed_at) === 0) return false;
      if (await this.#takePeriod(unit, row, code)) return true;
      const used = unit.table('recovery').where({ account_id: owner.id, hash: digest(code) });
      return (await unit.run(used.delete())) > 0;
    });
    if (!isRight) throw factorErrors.create('FACTOR_CODE_WRONG');
    await this.#limiter.reset(tries.name, owner.id);
  }

  /** @returns whether a phone was confirmed. */
  async forget(accountId: string): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const row = await find(unit, accountId);
      await unit.run(unit.table('secret').where({ account_id: accountId }).delete());
      await unit.run(unit.table('recovery').where({ account_id: accountId }).delete());
      return row !== undefined && Number(row.confirmed_at) > 0;
    });
  }

  /** Whether the code belongs to a later period than all accepted ones; of two concurrent uses, one succeeds. */
  async #takePeriod(
    unit: PluginUnit,
    row: Pick<SecretRow, 'account_id' | 'sealed'>,
    code: string,
  ): Promise<boolean> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return false;
    const timestamp = Date.now();
    const secret = this.#secrets.decrypt(purpose, row.sealed);
    const delta = totpOf(secret, '').validate({ token, timestamp, window: 1 });
    if (delta === null) return false;
    const last_period = Math.floor(timestamp / 1000 / seconds) + delta;
    const taken = unit
      .table('secret')
      .where({ account_id: row.account_id })
      .where('last_period', '<', last_period);
    return (await unit.run(taken.update({ last_period }))) > 0;
  }
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Trellis', label, secret: Secret.fromBase32(secret), period: seconds });
}

function find(unit: PluginUnit, accountId: string): Promise<SecretRow | undefined> {
  return unit.first<SecretRow>(unit.table('secret').where({ account_id: accountId }).select('*'));
}

/** 80 bits in four groups: they cannot be guessed, so a plain digest is sufficient. */
function newRecoveryCode(): string {
  return (randomBytes(10).toString('hex').match(/.{5}/g) ?? []).join('-');
}

function digest(code: string): string {
  const plain = code.toLowerCase().replace(/[^0-9a-f]/g, '');
  return createHash('sha256').update(plain).digest('hex');
}
