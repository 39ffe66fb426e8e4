import { defineServerPlugin, type CredentialResolver, type Principal } from '@trellis/sdk/server';
import { customRoleNamed, lowerRole, previewHeader, roleNamed } from '../shared/index.ts';
import { previewErrors } from './preview-errors.ts';

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
     * Whoever another resolver says that it is, with the rights of the role that is asked for and never with more. Where nobody is found
     * and one of them failed, the request is refused: asked again by the host it may answer, and then with all rights.
     */
    const resolver: CredentialResolver = {
      id,
      order: 10,
      async resolve(request) {
        const asked = request.headers[previewHeader];
        const customRole = customRoleNamed(asked);
        // The custom role says itself what it may do at the most.
        const role = customRole === undefined ? roleNamed(asked) : 'editor';
        // Whoever asks for fewer rights does not get all of them for a name that is spelled wrong.
        if (role === undefined && asked)
          throw previewErrors.create('PREVIEW_ROLE_UNKNOWN', { role: asked.slice(0, 40) });
        if (role === undefined) return undefined;
        const failures: unknown[] = [];
        for (const other of resolvers.list().filter((of) => of.id !== id)) {
          let principal: Principal | undefined;
          try {
            principal = await other.resolve(request);
          } catch (error) {
            failures.push(error);
          }
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
        if (failures.length > 0) throw previewErrors.create('PREVIEW_OF_NOBODY', undefined, failures[0]);
        return undefined;
      },
    };
    ctx.register('credentialResolvers', resolver);
  },
});
