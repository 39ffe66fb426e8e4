import { createHash, randomUUID } from 'node:crypto';
import { requireRevision, revisionOf, type PluginDatabase, type PluginUnit } from '@trellis/sdk/server';
import type { BaseRole, CustomRole, CustomRoleInput, TableRights } from '../../shared/index.ts';
import { teamErrors } from '../member-errors.ts';

interface RoleRow {
  readonly id: string;
  readonly title: string;
  readonly base: BaseRole;
  /** JSON of the other properties. */
  readonly rights: string;
}

/** A role without the number of its people. */
export type RoleOfProject = Omit<CustomRole, 'people'>;

/**
 * The holder of a custom role: the id of an account, or a digest of an address. A person invited with a role has it by address, and
 * keeps it from the moment of joining, so that the base role never applies alone.
 */
export type Holder = string;

/** The holder for an address in its normal form. Collations may treat two addresses as equal, but not two digests. */
export function holderOf(email: string): Holder {
  return `@${createHash('sha256').update(email).digest('hex').slice(0, 39)}`;
}

/** A person in a project, possibly without an account yet. */
export interface Somebody {
  readonly projectId: string;
  readonly accountId?: string;
  readonly email: string;
}

/** The custom roles of projects and their holders. Each member has at most one. */
export class CustomRoles {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Sorted by title. */
  async list(projectId: string): Promise<readonly RoleOfProject[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<RoleRow>(unit.table('role').where({ project_id: projectId })),
    );
    return rows.map(toRole).toSorted((left, right) => left.title.localeCompare(right.title, 'en'));
  }

  async find(projectId: string, id: string): Promise<RoleOfProject | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<RoleRow>(unit.table('role').where({ project_id: projectId, id })),
    );
    return row && toRole(row);
  }

  /** The id of a person's custom role, which may be deleted. */
  async idOf(person: Somebody): Promise<string | undefined> {
    const rows = await this.#db.read((unit) => unit.all<AssignmentRow>(assignmentsOf(unit, person)));
    return (rows.find((row) => row.account_id === person.accountId) ?? rows[0])?.role_id;
  }

  /** The role of each holder, including former ones: an account or an invitation may end by itself. */
  async byHolder(
    projectId: string,
  ): Promise<ReadonlyMap<Holder, Pick<RoleOfProject, 'id' | 'title' | 'base'>>> {
    const roles = new Map((await this.list(projectId)).map((role) => [role.id, role] as const));
    const given = await this.#db.read((unit) => assignmentsIn(unit, projectId));
    return new Map(
      given.flatMap(({ account_id: holder, role_id: roleId }) => {
        const role = roles.get(roleId);
        return role === undefined ? [] : [[holder, role] as const];
      }),
    );
  }

  async create(projectId: string, input: CustomRoleInput): Promise<string> {
    const id = `ro_${randomUUID().replaceAll('-', '')}`;
    await this.#db.write((unit) =>
      unit.run(unit.table('role').insert({ id, project_id: projectId, ...toRow(input) })),
    );
    return id;
  }

  /**
   * @param settle runs in the same transaction, with the holders of the role.
   * @throws TrellisError `CHANGED_MEANWHILE`, and `CUSTOM_ROLE_NOT_FOUND` if the role is deleted at the same time.
   */
  async update(
    place: { readonly projectId: string; readonly id: string; readonly replaces: string | null | undefined },
    input: CustomRoleInput,
    settle: (unit: PluginUnit, holders: readonly Holder[]) => Promise<void>,
  ): Promise<void> {
    const { projectId, id, replaces } = place;
    await this.#db.write(async (unit) => {
      // First, since it waits for a running assignment of the role, whose person is then among the holders.
      requireRevision(replaces, toRole(await hold(unit, projectId, id)).revision);
      await unit.run(unit.table('role').where({ project_id: projectId, id }).update(toRow(input)));
      await settle(unit, await holdersWith(unit, projectId, id));
    });
  }

  /** @param settle as in `update`; it gives the holders another role. */
  async remove(
    place: { readonly projectId: string; readonly id: string },
    settle: (unit: PluginUnit, holders: readonly Holder[]) => Promise<void>,
  ): Promise<void> {
    const { projectId, id } = place;
    await this.#db.write(async (unit) => {
      // First, as in `update`.
      await unit.run(unit.table('role').where({ project_id: projectId, id }).delete());
      await settle(unit, await holdersWith(unit, projectId, id));
    });
  }

  /**
   * Gives a person the role, or none. `settle` runs in the same transaction.
   *
   * @throws TrellisError `CUSTOM_ROLE_NOT_FOUND`, also if the role is deleted at the same time.
   */
  async assign(
    person: Somebody,
    roleId: string | undefined,
    settle: (unit: PluginUnit) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { projectId, accountId, email } = person;
    await this.#db.writeKey(async (unit) => {
      await unit.run(assignmentsOf(unit, person).delete());
      if (roleId !== undefined) await hold(unit, projectId, roleId);
      await put(unit, { projectId, holder: accountId ?? holderOf(email) }, roleId);
      await settle(unit);
    });
  }

  /**
   * Gives an invited person the role, or none, around `work`, which stores their invitation elsewhere: a person who joins in
   * between has no more rights than either state gives. If `work` rejects, the former role stays.
   */
  async assignAround<T>(person: Somebody, roleId: string | undefined, work: () => Promise<T>): Promise<T> {
    const former = await this.idOf(person);
    if (roleId !== undefined) await this.assign(person, roleId);
    try {
      const done = await work();
      if (roleId === undefined && former !== undefined) await this.assign(person, undefined);
      return done;
    } catch (error) {
      if (roleId !== undefined) await this.assign(person, former);
      throw error;
    }
  }

  /** A person's current assignments, for `release`. */
  held(person: Somebody): Promise<Held> {
    return this.#db.read((unit) => unit.all<AssignmentRow>(assignmentsOf(unit, person)));
  }

  /** Removes the assignments of a person who left. Assignments given to them since, when they returned, stay. */
  async release({ projectId }: Pick<Somebody, 'projectId'>, held: Held): Promise<void> {
    if (held.length === 0) return;
    await this.#db.write((unit) =>
      unit.runLast(
        held.map(({ account_id, role_id, mark }) =>
          unit.table('assignment').where({ project_id: projectId, account_id, role_id, mark }).delete(),
        ),
      ),
    );
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('assignment').where({ project_id: projectId }).delete());
      await unit.run(unit.table('role').where({ project_id: projectId }).delete());
    });
  }
}

/** Replaces the role of a holder, or removes it. */
export async function put(
  unit: PluginUnit,
  place: { readonly projectId: string; readonly holder: Holder },
  roleId: string | undefined,
): Promise<void> {
  const key = { project_id: place.projectId, account_id: place.holder };
  await unit.run(unit.table('assignment').where(key).delete());
  if (roleId === undefined) return;
  const given = { ...key, role_id: roleId, mark: randomUUID() };
  await unit.run(unit.table('assignment').insert(given));
}

/** Locks a role against deletion and changes until the transaction ends, and waits for a running change of its row. */
async function hold(unit: PluginUnit, projectId: string, id: string): Promise<RoleRow> {
  const place = { project_id: projectId, id };
  await unit.run(unit.table('role').where(place).update({ project_id: projectId }));
  const row = await unit.first<RoleRow>(unit.table('role').where(place));
  if (row === undefined) throw teamErrors.create('CUSTOM_ROLE_NOT_FOUND');
  return row;
}

interface AssignmentRow {
  readonly account_id: Holder;
  readonly role_id: string;
  /** Null for assignments made before marks existed. */
  readonly mark: string | null;
}

/** Former assignments. */
export type Held = readonly AssignmentRow[];

function assignmentsIn(unit: PluginUnit, projectId: string): Promise<AssignmentRow[]> {
  const rows = unit.table('assignment').where({ project_id: projectId });
  return unit.all<AssignmentRow>(rows.select('account_id', 'role_id', 'mark'));
}

/** By the account and by the address. */
function assignmentsOf(unit: PluginUnit, { projectId, accountId, email }: Somebody) {
  const holders = [holderOf(email), ...(accountId === undefined ? [] : [accountId])];
  return unit.table('assignment').where({ project_id: projectId }).whereIn('account_id', holders);
}

async function holdersWith(unit: PluginUnit, projectId: string, id: string): Promise<readonly Holder[]> {
  const given = await assignmentsIn(unit, projectId);
  return given.filter(({ role_id: roleId }) => roleId === id).map(({ account_id: holder }) => holder);
}

function toRow({ title, base, ...rights }: CustomRoleInput) {
  return { title, base, rights: JSON.stringify(rights) };
}

function toRole({ id, title, base, rights }: RoleRow): RoleOfProject {
  const { description, denied, tables, newTables = 'write' } = JSON.parse(rights) as StoredRights;
  const named = Object.entries(tables).map(([tableId, of]) => [tableId, { newColumns: 'write', ...of }]);
  const said = { title, base, description, denied, tables: Object.fromEntries(named), newTables };
  return { id, ...said, revision: revisionOf(said) };
}

/** Roles created before they could name rights for future tables and columns left those open. */
type StoredRights = Pick<CustomRole, 'description' | 'denied'> & {
  readonly tables: Readonly<Record<string, Omit<TableRights, 'newColumns'> & Partial<TableRights>>>;
  readonly newTables?: CustomRole['newTables'];
};
