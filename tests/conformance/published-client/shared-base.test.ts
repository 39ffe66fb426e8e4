import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

const at = ['noco', 'Atlas', 'City'] as const;

describeClient('shared base', ({ guest, withCities }) => {
  function visitor(uuid: unknown) {
    const api = guest();
    api.instance.defaults.headers.common['xc-shared-base-id'] = String(uuid);
    return api;
  }
  const refused = (status: number) => ({ response: { status } });

  test('opens a project to whoever has its id, as what it says, until it is closed', async () => {
    const { api, projectId } = await withCities();
    expect(await api.project.sharedBaseGet(projectId)).toEqual({ uuid: null, roles: null });
    const { uuid } = (await api.project.sharedBaseCreate(projectId, { roles: 'viewer' } as never)) as {
      uuid: string;
    };
    expect(await api.project.sharedBaseGet(projectId)).toEqual({
      uuid,
      roles: 'viewer',
      url: expect.stringMatching(new RegExp(`/#/nc/base/${uuid}$`)),
    });
    expect(await guest().public.sharedBaseGet(uuid)).toEqual({ project_id: projectId });
    const reader = visitor(uuid);
    expect(names(await reader.dbTableRow.list(...at))).toEqual(['Oslo', 'Bern', 'Lima']);
    await expect(reader.dbTableRow.create(...at, { Name: 'Rome' })).rejects.toMatchObject(refused(403));
    expect(await api.project.sharedBaseUpdate(projectId, { roles: 'editor' } as never)).toMatchObject({
      uuid,
      roles: 'editor',
    });
    expect(await reader.dbTableRow.create(...at, { Name: 'Rome' })).toMatchObject({ Name: 'Rome' });
    await api.project.sharedBaseDisable(projectId);
    await expect(reader.dbTableRow.list(...at)).rejects.toMatchObject(refused(403));
    await expect(guest().public.sharedBaseGet(uuid)).rejects.toMatchObject(refused(404));
    const audit = await api.project.auditList(projectId, { op_type: 'AUTHENTICATION' } as never);
    expect(audit).toMatchObject({
      list: [
        { description: 'The project was closed to visitors' },
        { description: 'The project is open to visitors as editor' },
        { user: 'ann@example.com', description: 'The project is open to visitors as viewer' },
      ],
    });
  });

  test('makes a visitor of whoever names something that is no id, also of somebody who is signed in', async () => {
    const { api } = await withCities();
    for (const id of ['x', '../..', ' '])
      await expect(
        api.instance.get('/api/v1/db/data/noco/Atlas/City', { headers: { 'xc-shared-base-id': id } }),
      ).rejects.toMatchObject(refused(403));
  });

  test('gives visitors no people, no settings, no other project, and no account', async () => {
    const { api, projectId } = await withCities();
    const other = await api.project.create({ title: 'Other' });
    const { uuid } = (await api.project.sharedBaseCreate(projectId, { roles: 'editor' } as never)) as {
      uuid: string;
    };
    const editor = visitor(uuid);
    const get = (path: string) => editor.instance.get(path);
    for (const path of [
      `/api/v1/plugins/columns-people/projects/${projectId}/people`,
      `/api/v1/db/meta/projects/${projectId}/shared`,
      `/api/v1/db/meta/projects/${projectId}/audits`,
      `/api/v1/db/meta/projects/${other.id}`,
      '/api/v1/db/meta/projects',
    ])
      await expect(get(path)).rejects.toMatchObject(refused(403));
    await expect(get('/api/v1/user-storage')).rejects.toMatchObject(refused(401));
    const history = await get('/api/v1/db/data/noco/Atlas/City/1/history');
    expect(JSON.stringify(history.data)).not.toContain('ann@example.com');
    const operations = `/api/v1/db/data/operations/${projectId}`;
    await expect(get(`${operations}/deletions`)).rejects.toMatchObject(refused(403));
    const undo = (answer: { readonly headers: object }) =>
      editor.instance.post(`${operations}/${String(Object(answer.headers)['x-trellis-operation'])}/undo`);
    const cities = '/api/v1/db/data/noco/Atlas/City';
    await expect(undo(await api.instance.delete(`${cities}/1`))).rejects.toMatchObject(refused(404));
    expect(await undo(await editor.instance.delete(`${cities}/2`))).toMatchObject({ data: { rows: 1 } });
    expect(names(await editor.dbTableRow.list(...at))).toEqual(['Bern', 'Lima']);
    const password = api.project.sharedBaseCreate(projectId, { roles: 'viewer', password: 'x' } as never);
    await expect(password).rejects.toMatchObject(refused(400));
    await api.project.sharedBaseCreate(projectId, { roles: 'viewer' } as never);
    await expect(editor.dbTableRow.list(...at)).rejects.toMatchObject(refused(403));
  });
});
