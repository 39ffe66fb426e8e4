import { createHash } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';

/** Identifies the password that somebody knew without revealing it: each password of an account has another proof. */
export function proofOf(hash: string): string {
  return createHash('sha256').update(hash).digest('base64url');
}

/** The hashes of people's passwords. Accounts from a provider may have none. */
export class Passwords {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  hashOf(accountId: string): Promise<string | undefined> {
    return this.#db.read(async (unit) => (await unit.first<HashRow>(rowOf(unit, accountId)))?.hash);
  }

  /**
   * Whether an account still has the password that somebody knew. Locks it until the unit ends: what the unit writes is visible to
   * a later change of the password, which ends everything reached by the former one.
   */
  async isStill(accountId: string, proof: string, unit: PluginUnit): Promise<boolean> {
    const row = await unit.first<HashRow>(rowOf(unit, accountId).forUpdate());
    return row !== undefined && proofOf(row.hash) === proof;
  }
}

interface HashRow {
  readonly hash: string;
}

function rowOf(unit: PluginUnit, accountId: string) {
  return unit.table('password').where({ account_id: accountId }).select('hash');
}
