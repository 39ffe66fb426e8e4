import type { AccessService, AccountStore } from '@trellis/sdk/server';
import type { Person } from '../shared/index.ts';

/** The people of a project, by name. */
export type Members = (projectId: string) => Promise<readonly Person[]>;

export function createMembers(
  access: Pick<AccessService, 'members'>,
  accounts: Pick<AccountStore, 'byId'>,
): Members {
  async function personOf(accountId: string): Promise<readonly Person[]> {
    const account = await accounts.byId(accountId);
    if (account === undefined) return [];
    const name = [account.firstname, account.lastname].filter(Boolean).join(' ').trim();
    return [{ email: account.email, ...(name !== '' && { name }) }];
  }

  return async (projectId) => {
    const members = await access.members(projectId);
    const people = (await Promise.all(members.map(({ userId }) => personOf(userId)))).flat();
    return people.toSorted((left, right) =>
      (left.name ?? left.email).localeCompare(right.name ?? right.email, 'en'),
    );
  };
}
