import type { PluginDatabase, PluginUnit, SecretVariable, Secrets } from '@trellis/sdk/server';

/** A variable of a project. Times are in milliseconds since 1970. */
export interface StoredVariable {
  readonly name: string;
  readonly isSecret: boolean;
  /** Undefined for a secret. */
  readonly value: string | undefined;
  readonly updatedAt: number;
}

/** The change of a variable; an absent value stays. */
export interface VariableChange {
  readonly value?: string | undefined;
  readonly isSecret: boolean;
}

interface VariableRow {
  readonly name: string;
  readonly value: string;
  readonly is_secret: boolean | number;
  readonly updated_at: number | string;
}

const purpose = 'variables';
/** Milliseconds for which the former values of a secret are masked: as long as any log can be kept. */
const formerMs = 366 * 24 * 3600_000;
/** At most this many of the newest ones. */
const mostFormer = 20;

/** The variables of projects; secret ones are sealed. */
export class VariableStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;

  constructor(db: PluginDatabase, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  async list(projectId: string): Promise<readonly StoredVariable[]> {
    return (await this.#rows(projectId)).map(toVariable);
  }

  /**
   * The values by name, including secrets: only for messages. A secret is decrypted when it is read, so that one that cannot be
   * decrypted only fails the messages that use it.
   */
  async values(projectId: string): Promise<Readonly<Record<string, string | SecretVariable>>> {
    const former = await this.#former(projectId);
    const open = (sealed: string) => this.#secrets.decrypt(purpose, sealed);
    const opened = (name: string, sealed: string): SecretVariable => ({
      get secret() {
        return open(sealed);
      },
      get former() {
        return (former.get(name) ?? []).flatMap((value) => {
          try {
            return [open(value)];
          } catch {
            // A former value sealed by a lost key is not masked, and blocks no message.
            return [];
          }
        });
      },
    });
    return Object.fromEntries(
      (await this.#rows(projectId)).map(({ name, value, is_secret: isSecret }) => [
        name,
        isSecret ? opened(name, value) : value,
      ]),
    );
  }

  /** The sealed former values of secrets, by name, the newest first. */
  async #former(projectId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#db.read((unit) =>
      unit.all<Pick<VariableRow, 'name' | 'value'>>(
        unit
          .table('former_secret')
          .where({ project_id: projectId })
          .orderBy('replaced_at', 'desc')
          .select(['name', 'value']),
      ),
    );
    const byName = new Map<string, string[]>();
    for (const { name, value } of rows) {
      const values = byName.get(name) ?? [];
      if (values.length < mostFormer) values.push(value);
      byName.set(name, values);
    }
    return byName;
  }

  /** Deletes former values that no log can contain any more. */
  async sweep(now = Date.now()): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('former_secret')
          .where('replaced_at', '<', now - formerMs)
          .delete(),
      ),
    );
  }

  /** Stores a variable; false if the name is taken. */
  async add(projectId: string, name: string, { value = '', isSecret }: VariableChange): Promise<boolean> {
    const row = {
      project_id: projectId,
      name,
      value: this.#kept(value, isSecret),
      is_secret: isSecret,
      updated_at: Date.now(),
    };
    return this.#db.write(async (unit) => {
      const former = unit.table('variable').where({ project_id: projectId, name }).select('name');
      if ((await unit.first(former)) !== undefined) return false;
      await unit.run(unit.table('variable').insert(row));
      return true;
    });
  }

  /** Changes a variable, which is locked while `decide` computes the change. False if there is none of that name. */
  async change(
    projectId: string,
    name: string,
    decide: (was: StoredVariable) => VariableChange,
  ): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const own = () => unit.table('variable').where({ project_id: projectId, name });
      const row = await unit.first<VariableRow>(own().forUpdate());
      if (row === undefined) return false;
      const { value, isSecret } = decide(toVariable(row));
      const kept = value === undefined ? {} : { value: this.#kept(value, isSecret) };
      if (value !== undefined) await this.#keepFormer(unit, projectId, row);
      return (await unit.run(own().update({ ...kept, is_secret: isSecret, updated_at: Date.now() }))) > 0;
    });
  }

  async remove(projectId: string, name: string): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const own = () => unit.table('variable').where({ project_id: projectId, name });
      const row = await unit.first<VariableRow>(own().forUpdate());
      if (row === undefined) return false;
      // Another variable may get this name.
      await this.#keepFormer(unit, projectId, row);
      return (await unit.run(own().delete())) > 0;
    });
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const table of ['variable', 'former_secret'])
        await unit.run(unit.table(table).where({ project_id: projectId }).delete());
    });
  }

  /** Stores the value of a secret before it changes. */
  async #keepFormer(unit: PluginUnit, projectId: string, row: VariableRow): Promise<void> {
    if (!row.is_secret) return;
    const { name, value } = row;
    const former = { project_id: projectId, name, replaced_at: Date.now(), value };
    const key = ['project_id', 'name', 'replaced_at'];
    await unit.run(unit.table('former_secret').insert(former).onConflict(key).ignore());
    const own = () => unit.table('former_secret').where({ project_id: projectId, name });
    const oldest = await unit.first<{ readonly replaced_at: number | string }>(
      own().orderBy('replaced_at', 'desc').offset(mostFormer).limit(1).select('replaced_at'),
    );
    if (oldest !== undefined)
      await unit.run(own().where('replaced_at', '<=', Number(oldest.replaced_at)).delete());
  }

  #kept(value: string, isSecret: boolean): string {
    return isSecret ? this.#secrets.encrypt(purpose, value) : value;
  }

  #rows(projectId: string): Promise<readonly VariableRow[]> {
    return this.#db.read((unit) =>
      unit.all<VariableRow>(unit.table('variable').where({ project_id: projectId }).orderBy('name')),
    );
  }
}

function toVariable({ name, value, is_secret: isSecret, updated_at: at }: VariableRow): StoredVariable {
  return {
    name,
    isSecret: Boolean(isSecret),
    value: isSecret ? undefined : value,
    updatedAt: Number(at),
  };
}
