import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';

/** The accounts with a verified address: the person opened a link from a mail, or a provider confirmed it. */
export class VerifiedAddresses {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async has(accountId: string): Promise<boolean> {
    const row = await this.#db.read((unit) =>
      unit.first(unit.table('verified').where({ account_id: accountId }).select('account_id')),
    );
    return row !== undefined;
  }

  async add(accountId: string, unit: PluginUnit): Promise<void> {
    const row = { account_id: accountId, verified_at: Date.now() };
    await unit.run(unit.table('verified').insert(row).onConflict('account_id').ignore());
  }
}
