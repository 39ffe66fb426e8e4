import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import { placeBehindViews } from '../../metadata/place-behind-views.ts';
import type { Unit } from '../../sql/unit.ts';

interface Leaver {
  readonly accountId: string;
  /** Default: all projects of the account. */
  readonly projectId?: string;
  /** The account that ends the membership. It gets the views if it owns the project. */
  readonly by: string;
}

export interface ViewHeirsDependencies {
  readonly metadata: Pick<Metadata, 'database' | 'generations'>;
  /** Told after the commit that somebody has views of the project by now who had not had them. */
  readonly didPassOn: (projectId: string) => void;
}

interface PersonalView {
  readonly id: string;
  readonly project_id: string;
  readonly table_id: string;
}

/** Personal views whose owner is no member any more. */
export class ViewHeirs {
  readonly #deps: ViewHeirsDependencies;

  constructor(deps: ViewHeirsDependencies) {
    this.#deps = deps;
  }

  /**
   * Passes the personal views of somebody who goes on to an owner of each project, as personal views of theirs: nobody else sees them, so
   * they would be lost without anybody knowing. It is the owner who ends the membership, else the one who has been in the project longest
   * of those who can sign in. Within the transaction that ends the membership, after it has ended.
   */
  async passOn(unit: Unit, { accountId, projectId, by }: Leaver): Promise<void> {
    const of = { 'view.owner_id': accountId, ...(projectId && { 'view.project_id': projectId }) };
    await this.#pass(unit, await unit.all<PersonalView>(personalViews(unit).where(of)), by);
  }

  /** Passes on personal views whose owner is no member any more: the owner went before views were passed on, or from a project without an owner. */
  async passOnLost(signal: AbortSignal): Promise<void> {
    const { database, generations } = this.#deps.metadata;
    const lost = await database.read((unit) => unit.all<PersonalView>(lostViews(unit)));
    for (const projectId of projectsOf(lost)) {
      signal.throwIfAborted();
      await database.write(
        async (unit) => {
          // From here on memberships cannot change: an owner of views who has come back keeps them.
          await generations.bump(unit, 'access');
          const found = await unit.all<PersonalView>(lostViews(unit).where({ 'view.project_id': projectId }));
          await this.#pass(unit, found, '');
        },
        { retry: true },
      );
    }
  }

  /** Puts the views behind the other views of their table and keeps their order: two views with the same number would have no order. */
  async #pass(unit: Unit, views: readonly PersonalView[], by: string): Promise<void> {
    const { generations } = this.#deps.metadata;
    const { ViewModel } = await models();
    for (const projectId of projectsOf(views)) {
      const heir = await heirIn(unit, projectId, by);
      if (heir === undefined) continue;
      await generations.bump(unit, projectId);
      for (const { id, table_id: tableId } of views.filter((view) => view.project_id === projectId)) {
        const place = await placeBehindViews(unit, tableId);
        await ViewModel.query(unit.knex).findById(id).patch({ owner_id: heir, sort_order: place });
      }
      unit.afterCommit(() => this.#deps.didPassOn(projectId));
    }
  }
}

function personalViews({ knex }: Unit) {
  return knex('trellis_view as view')
    .where({ 'view.lock_type': 'personal' })
    .orderBy(['view.project_id', 'view.table_id', 'view.sort_order', 'view.id'])
    .select('view.id', 'view.project_id', 'view.table_id');
}

/** Personal views whose owner is no member of the project, in projects that have an owner. */
function lostViews(unit: Unit) {
  return personalViews(unit)
    .leftJoin('trellis_grant as membership', (on) =>
      on.on('membership.project_id', 'view.project_id').andOn('membership.account_id', 'view.owner_id'),
    )
    .whereNull('membership.account_id')
    .whereIn('view.project_id', unit.knex('trellis_grant').where({ role: 'owner' }).select('project_id'));
}

function projectsOf(views: readonly PersonalView[]): ReadonlySet<string> {
  return new Set(views.map(({ project_id: id }) => id));
}

async function heirIn(unit: Unit, projectId: string, by: string): Promise<string | undefined> {
  const owners = await unit.all<{ id: string; disabled_at: number | string | null }>(
    unit
      .knex('trellis_grant as membership')
      .join('trellis_account as account', 'account.id', 'membership.account_id')
      .where({ 'membership.project_id': projectId, 'membership.role': 'owner' })
      .orderBy(['membership.created_at', 'account.id'])
      .select('account.id', 'account.disabled_at'),
  );
  const heir =
    owners.find(({ id }) => id === by) ??
    owners.find(({ disabled_at: disabledAt }) => disabledAt === null) ??
    owners[0];
  return heir?.id;
}
