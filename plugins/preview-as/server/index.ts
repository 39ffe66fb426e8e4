import { defineServerPlugin, type CredentialResolver, type Principal } from '@trellis/sdk/server';
import { customRoleNamed, lowerRole, previewHeader, roleNamed } from '../shared/index.ts';
import { previewErrors } from './preview-errors.ts';

const id = 'preview-as';
/** The scope rule for custom roles: without it, the preview of one would have more rights. */
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
     * The caller found by another resolver, with the rights of the requested role and never more. If nobody is found and a resolver
     * failed, the request is refused: on a second try that resolver might succeed, and then give all rights.
     */
    const resolver: CredentialResolver = {
      id,
      order: 10,
      async resolve(request) {
        const asked = request.headers[previewHeader];
        const customRole = customRoleNamed(asked);
        // The custom role itself defines its most rights.
        const role = customRole === undefined ? roleNamed(asked) : 'editor';
        // A caller who requests fewer rights must not get all of them because of a misspelled name.
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
