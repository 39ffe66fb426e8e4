import { defineServerPlugin, type CredentialResolver } from '@trellis/sdk/server';
import { customRoleNamed, lowerRole, previewHeader, roleNamed } from '../shared/index.ts';

const id = 'preview-as';
/** The scope rule that knows custom roles: without it a preview of one would have more rights. */
const rule = 'sys-members.custom-roles';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('permissions', {
      id: 'previewAs',
      label: 'Look at a project as somebody with fewer rights',
      roles: [],
      scope: 'project',
    });
    const resolvers = ctx.registry('credentialResolvers');

    /**
     * Whoever another resolver says that it is, with the rights of the role that is asked for and never with more. One that fails is
     * left to the host, which asks it again and names its plugin.
     */
    const resolver: CredentialResolver = {
      id,
      order: 10,
      async resolve(request) {
        const asked = request.headers[previewHeader];
        const customRole = customRoleNamed(asked);
        // The custom role says itself what it may do at the most.
        const role = customRole === undefined ? roleNamed(asked) : 'editor';
        if (role === undefined) return undefined;
        for (const other of resolvers.list().filter((of) => of.id !== id)) {
          const principal = await Promise.resolve(other.resolve(request)).catch(() => undefined);
          if (principal !== undefined)
            return {
              ...principal,
              maximumRole: lowerRole(role, principal.maximumRole),
              ...(customRole !== undefined && {
                customRole,
                scopeRules: [...(principal.scopeRules ?? []), rule],
              }),
            };
        }
        return undefined;
      },
    };
    ctx.register('credentialResolvers', resolver);
  },
});
