import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('accounts, projects and the server', ({ guest, signUp }) => {
  test('signs up, signs in, tells who it is, changes its password and refreshes', async () => {
    const api = await signUp();
    expect(await api.auth.me()).toMatchObject({ email: 'ann@example.com', roles: { super: true } });
    await api.auth.passwordChange({ currentPassword: 'Passw0rd!x', newPassword: 'An0ther!pw' } as never);
    const { token } = await api.auth.signin({ email: 'ann@example.com', password: 'An0ther!pw' });
    expect(token).toEqual(expect.any(String));
    await expect(
      api.auth.signin({ email: 'ann@example.com', password: 'wrong-Passw0rd' }),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.any(String) } } });
    const signedIn = await guest().instance.post('/api/v1/auth/user/signin', {
      email: 'ann@example.com',
      password: 'An0ther!pw',
    });
    const cookie = ((signedIn.headers['set-cookie'] ?? []) as readonly string[])
      .map((set) => set.split(';')[0])
      .join('; ');
    const refreshed = (await guest().auth.tokenRefresh({ headers: { cookie } })) as unknown as {
      token: string;
    };
    const again = guest();
    again.instance.defaults.headers.common['xc-auth'] = refreshed.token;
    expect(await again.auth.me()).toMatchObject({ email: 'ann@example.com' });
    await expect(guest().auth.tokenRefresh()).rejects.toMatchObject({ response: { status: 401 } });
    expect(await guest().auth.me()).toEqual({ roles: { guest: true } });
    await expect(guest().project.list()).rejects.toMatchObject({ response: { status: 401 } });
  });

  test('sends the same answer for every forgotten password, and refuses links that never were', async () => {
    const api = await signUp();
    await expect(api.auth.passwordForgot({ email: 'ann@example.com' })).rejects.toMatchObject({
      response: { status: 400, data: { msg: expect.stringContaining('Email Plugin is not found') } },
    });
    for (const call of [
      api.auth.passwordResetTokenValidate('abc'),
      api.auth.passwordReset('abc', { new_password: 'An0ther!pw' }),
    ])
      await expect(call).rejects.toMatchObject({ response: { data: { msg: 'Invalid reset url' } } });
    await expect(api.auth.emailValidate('abc')).rejects.toMatchObject({
      response: { data: { msg: 'Invalid verification url' } },
    });
  });

  test('makes, lists, reads, renames and deletes projects', async () => {
    const api = await signUp();
    const { id } = await api.project.create({ title: 'Atlas' });
    expect(id).toMatch(/^p_[0-9a-z]{14}$/);
    expect((await api.project.list({})).list).toMatchObject([{ id, title: 'Atlas' }]);
    await api.project.update(id ?? '', { title: 'World' });
    expect(await api.project.read(id ?? '')).toMatchObject({ title: 'World', bases: [{ project_id: id }] });
    await api.project.delete(id ?? '');
    expect((await api.project.list({})).list).toEqual([]);
  });

  test('reads what the server is', async () => {
    const api = await signUp();
    expect(await api.utils.appInfo()).toMatchObject({ version: expect.any(String) });
    expect(await api.utils.appHealth()).toMatchObject({ message: 'OK' });
    expect(await api.utils.appVersion()).toMatchObject({ currentVersion: expect.any(String) });
  });
});
