import { AccessServiceToken, AccountStoreToken, defineServerPlugin } from '@trellis/sdk/server';
import { collaborator, createdBy, lastModifiedBy } from '../shared/index.ts';
import { admitPeople, adoptPeople } from './admit-people.ts';
import { meAsReader } from './me.ts';
import { createMembers } from './members.ts';
import { peopleRoutes } from './people-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    const members = createMembers(ctx.get(AccessServiceToken), ctx.get(AccountStoreToken));
    ctx.register('permissions', {
      id: 'peopleList',
      label: 'See who is in a project',
      roles: ['editor', 'commenter', 'viewer'],
      scope: 'project',
    });
    ctx.register('columnTypes', {
      ...collaborator,
      server: { admit: admitPeople(members), adopt: adoptPeople(members), filterValue: meAsReader },
    });
    for (const type of [createdBy, lastModifiedBy])
      ctx.register('columnTypes', { ...type, server: { filterValue: meAsReader } });
    ctx.routes(...peopleRoutes(members));
  },
});
