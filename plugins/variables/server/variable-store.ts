import type { PluginDatabase, SecretVariable, Secrets } from '@trellis/sdk/server';

/** A variable of a project. Times are in milliseconds since 1970. */
export interface StoredVariable {
  readonly name: string;
  readonly isSecret: boolean;
  /** Undefined for a secret. */
  readonly value: string | undefined;
  readonly updatedAt: number;
}

/** What is kept of a variable; a value that is left out stays. */
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
   * The values by name, secrets too: for messages alone. A secret is opened when it is read, so that one which cannot be opened ends only the
   * messages that name it.
   */
  async values(projectId: string): Promise<Readonly<Record<string, string | SecretVariable>>> {
    const opened = (sealed: string): SecretVariable => {
      const open = () => this.#secrets.decrypt(purpose, sealed);
      return {
        get secret() {
          return open();
        },
      };
    };
    return Object.fromEntries(
      (await this.#rows(projectId)).map(({ name, value, is_secret: isSecret }) => [
        name,
        isSecret ? opened(value) : value,
      ]),
    );
  }

  /** Keeps a variable; false where there is one of that name. */
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

  /** Changes a variable, which nobody else changes while `decide` says to what. False where there is none of that name. */
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
      return (await unit.run(own().update({ ...kept, is_secret: isSecret, updated_at: Date.now() }))) > 0;
    });
  }

  async remove(projectId: string, name: string): Promise<boolean> {
    return this.#db.write(
      async (unit) =>
        (await unit.run(unit.table('variable').where({ project_id: projectId, name }).delete())) > 0,
    );
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('variable').where({ project_id: projectId }).delete()),
    );
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
