import type { Generations } from '../../metadata/generations.ts';
import { models } from '../../metadata/models/models.ts';
import type { Unit } from '../../sql/unit.ts';

interface Leaver {
  readonly accountId: string;
  /** All projects where it is left out. */
  readonly projectId?: string;
  /** Who ends the membership: the first to be asked whether they own the project. */
  readonly by: string;
}

/**
 * Passes the personal views of somebody who goes on to an owner of each project, as personal views of theirs: nobody else sees them, so
 * they would be lost without anybody knowing. It is the owner who ends the membership, else the one who has been in the project longest
 * of those who can sign in. Within the transaction that ends the membership, after it has ended.
 */
export async function passOnViews(
  unit: Unit,
  generations: Pick<Generations, 'bump'>,
  { accountId, projectId, by }: Leaver,
): Promise<void> {
  const { ViewModel } = await models();
  const own = { owner_id: accountId, lock_type: 'personal', ...(projectId && { project_id: projectId }) };
  const found = await ViewModel.query(unit.knex).where(own).distinct('project_id').orderBy('project_id');
  for (const { project_id: of } of found) {
    const heir = await heirIn(unit, of, by);
    if (heir === undefined) continue;
    await generations.bump(unit, of);
    await ViewModel.query(unit.knex)
      .where({ ...own, project_id: of })
      .patch({ owner_id: heir });
  }
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
