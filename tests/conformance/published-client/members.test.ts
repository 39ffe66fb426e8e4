import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('members', ({ guest, signUp }) => {
  test('lists, adds, changes and removes the members of a project, and signs up by an invitation', async () => {
    const api = await signUp();
    const id = (await api.project.create({ title: 'Atlas' })).id ?? '';
    const added = (await api.auth.projectUserAdd(id, {
      email: 'bob@example.com',
      roles: 'viewer',
      project_id: id,
      projectName: 'Atlas',
    } as never)) as unknown as { readonly invite_token: string; readonly email: string };
    expect(added).toMatchObject({ invite_token: expect.any(String), email: 'bob@example.com' });
    const people = async (query = {}) => {
      const answer = (await api.auth.projectUserList(id, query)) as unknown as {
        readonly users: { readonly list: readonly { id: string; email: string; roles: string }[] };
      };
      return answer.users.list;
    };
    const invited = (await people({ query: 'bob' }))[0]?.id ?? '';
    await expect(api.auth.projectUserResendInvite(id, invited, {})).rejects.toMatchObject({
      response: { status: 400, data: { msg: expect.stringContaining('No Email Plugin is found') } },
    });
    const bobsClient = guest();
    const person = { email: 'bob@example.com', password: 'Passw0rd!x', token: added.invite_token };
    const { token } = await bobsClient.auth.signup(person as never);
    bobsClient.instance.defaults.headers.common['xc-auth'] = token;
    expect(await bobsClient.project.read(id)).toMatchObject({ title: 'Atlas', role: 'viewer' });
    const bob = (await people()).find(({ email }) => email === 'bob@example.com')?.id ?? '';
    const role = { roles: 'editor', project_id: id, email: 'bob@example.com', projectName: 'Atlas' };
    expect(await api.auth.projectUserUpdate(id, bob, role as never)).toEqual({
      msg: 'User details updated successfully',
    });
    expect(await api.auth.projectUserRemove(id, bob)).toEqual({ msg: 'success' });
    expect((await people()).map(({ email, roles }) => [email, roles])).toEqual([
      ['ann@example.com', 'owner'],
    ]);
    await expect(bobsClient.project.read(id)).rejects.toMatchObject({ response: { status: 403 } });
  });
});
