import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

describeClient('API tokens', ({ guest, withCities }) => {
  test('makes, lists and deletes API tokens, and works with one', async () => {
    const { api, projectId } = await withCities();
    const made = (await api.apiToken.create(projectId, { description: 'Import' })) as unknown as {
      readonly token: string;
    };
    expect(made.token).toHaveLength(40);
    const listed = (await api.apiToken.list(projectId)) as unknown as readonly { description: string }[];
    expect(listed.map(({ description }) => description)).toEqual(['Import']);
    const script = guest();
    script.instance.defaults.headers.common['xc-token'] = made.token;
    expect(names(await script.dbTableRow.list('noco', 'Atlas', 'City', { sort: 'Name' } as never))).toEqual([
      'Bern',
      'Lima',
      'Oslo',
    ]);
    expect(await script.auth.me()).toMatchObject({ isAuthorized: true, roles: { editor: true } });
    expect(await api.apiToken.delete(projectId, made.token)).toBe(1);
    await expect(script.project.read(projectId)).rejects.toMatchObject({ response: { status: 401 } });
  });
});
