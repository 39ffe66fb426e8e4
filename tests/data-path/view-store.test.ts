import { expect, test } from '@jest/globals';
import { Veto } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('the view store', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const { schema, views, access } = path;
    const system = await path.newProject('Music');
    const table = await schema.createTable(system, {
      title: 'People',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Title', type: 'SingleLineText' },
        { title: 'Age', type: 'Number' },
      ],
    });
    const projectId = table.projectId;
    await access.grant(projectId, 'us_creator', 'creator');
    await access.grant(projectId, 'us_other', 'creator');
    await access.grant(projectId, 'us_editor', 'editor');
    const scopeOf = (id: string) =>
      access.scopeFor({ kind: 'user', id, email: `${id}@x.co`, accountRoles: ['user'] }, projectId, 'r');
    const creator = await scopeOf('us_creator');
    const other = await scopeOf('us_other');
    const editor = await scopeOf('us_editor');
    const first = table.views[0]?.id ?? '';
    const column = (title: string) => table.columnByTitle.get(title)?.id ?? '';
    const make = (title: string) => views.create(creator, table.id, { title, type: 'grid' });
    const present = async () => (await schema.table(creator, table.id)).views;
    return { ...path, table, creator, other, editor, first, column, make, present };
  }

  test('of two simultaneous deletions of the last two views one is refused', async () => {
    const { views, creator, first, make, present, dispose } = await start();
    const second = await make('Second');
    const outcomes = await Promise.allSettled([
      views.delete(creator, first),
      views.delete(creator, second.id),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await present()).toHaveLength(1);
    await dispose();
  });

  test('what is added to a view that is deleted at the same moment leaves nothing behind', async () => {
    const { metadata, views, creator, column, make, dispose } = await start();
    const view = await make('Second');
    await Promise.allSettled([
      views.delete(creator, view.id),
      views.createSort(creator, view.id, { columnId: column('Age'), direction: 'asc' }),
      views.createFilter(creator, view.id, { columnId: column('Age'), operator: 'eq', value: '1' }),
    ]);
    for (const of of ['trellis_sort', 'trellis_filter', 'trellis_view_column']) {
      const left = await metadata.database.read((unit) =>
        unit.all(unit.knex(of).where({ view_id: view.id }).select('id')),
      );
      expect([of, left]).toEqual([of, []]);
    }
    await dispose();
  });

  test('of two people who replace filters and sorts at the same moment one has the last word', async () => {
    const { metadata, schema, views, creator, other, table, column, make, present, dispose } = await start();
    const view = await make('Second');
    const age = { columnId: column('Age'), operator: 'gt', value: '1' };
    const title = { columnId: column('Title'), operator: 'like', value: 'x' };
    await Promise.all([
      views.setFilters(creator, view.id, [age, { isGroup: true, children: [age, title] }]),
      views.setFilters(other, view.id, [title]),
      views.setSorts(creator, view.id, [{ columnId: column('Age'), direction: 'asc' }]),
      views.setSorts(other, view.id, [{ columnId: column('Title'), direction: 'desc' }]),
    ]);
    const shown = async () => (await present()).find(({ id }) => id === view.id);
    const replaced = await shown();
    expect([1, 2]).toContain(replaced?.filters.length);
    expect(replaced?.filters[0]).toMatchObject(replaced?.filters.length === 1 ? title : age);
    expect(replaced?.sorts).toHaveLength(1);

    // A deleted column may come back, and what views keep for it with it.
    const withEmail = await schema.createColumn(creator, table.id, {
      title: 'Email',
      type: 'SingleLineText',
    });
    const email = withEmail.columnByTitle.get('Email')?.id ?? '';
    await views.setFilters(creator, view.id, [{ ...title, columnId: email }]);
    await views.setSorts(creator, view.id, [{ columnId: email, direction: 'asc' }]);
    await schema.deleteColumn(creator, email);
    await views.setFilters(creator, view.id, [age]);
    await views.setSorts(creator, view.id, [{ columnId: column('Age'), direction: 'asc' }]);
    expect(await shown()).toMatchObject({ filters: [age], sorts: [{ columnId: column('Age') }] });
    for (const of of ['trellis_sort', 'trellis_filter']) {
      const kept = await metadata.database.read((unit) =>
        unit.all(unit.knex(of).where({ view_id: view.id, column_id: email }).select('id')),
      );
      expect([of, kept.length]).toEqual([of, 1]);
    }
    await dispose();
  });

  test('a column that is added while a view is made has its place there', async () => {
    const { schema, creator, table, make, present, dispose } = await start();
    await Promise.all([
      make('Second'),
      schema.createColumn(creator, table.id, { title: 'Email', type: 'SingleLineText' }),
      make('Third'),
    ]);
    for (const view of await present()) expect([view.title, view.columns.length]).toEqual([view.title, 4]);
    await dispose();
  });

  test('a personal view is seen and changed by its owner alone', async () => {
    const { views, creator, other, editor, column, make, dispose } = await start();
    const view = await make('Mine');
    await views.update(creator, view.id, { lockType: 'personal' });
    const sort = { columnId: column('Age'), direction: 'asc' } as const;
    const { id } = await views.createSort(creator, view.id, sort);
    await expect(views.createSort(other, view.id, sort)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await expect(views.update(other, view.id, { lockType: 'collaborative' })).rejects.toMatchObject({
      code: 'VIEW_NOT_FOUND',
    });
    await expect(views.delete(other, view.id)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await expect(
      views.create(other, view.tableId, { title: 'Copy', type: 'grid', copyFrom: view.id }),
    ).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await expect(views.createSort(editor, view.id, sort)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await expect(views.deleteSort(editor, id)).rejects.toMatchObject({ code: 'SORT_NOT_FOUND' });
    await dispose();
  });

  test('an editor arranges a view that all see, and neither names, locks nor deletes it', async () => {
    const { views, editor, column, make, dispose } = await start();
    const view = await make('Second');
    const refused = { status: 403, message: expect.stringContaining('viewUpdate - editor') };
    const look = { meta: { height: 'high' }, showSystemFields: true };
    const { title, order, lockType } = view;
    // Clients send views back whole.
    const whole = { title, order, lockType, description: null, groupId: null, icon: null, ...look };
    expect(await views.update(editor, view.id, whole)).toMatchObject(look);
    for (const patch of [
      { title: 'Mine' },
      { order: 9 },
      { description: 'x' },
      { icon: 'star' },
      { lockType: 'personal' },
      { lockType: 'locked' },
      { isDefault: true },
    ] as const)
      await expect(views.update(editor, view.id, patch)).rejects.toMatchObject(refused);
    await expect(views.delete(editor, view.id)).rejects.toMatchObject({
      message: expect.stringContaining('viewDelete - editor'),
    });
    await expect(
      views.setColumn(editor, view.id, column('Age'), { meta: { bold: true } }),
    ).rejects.toMatchObject({ code: 'VIEW_COLUMN_OPTIONS_NONE' });
    await dispose();
  });

  test('an editor has personal views of their own, and makes none of them one for all', async () => {
    const { views, creator, editor, table, column, present, dispose } = await start();
    const named = { title: 'Mine', type: 'grid' };
    await expect(views.create(editor, table.id, named)).rejects.toMatchObject({ status: 403 });
    const mine = await views.create(editor, table.id, { ...named, lockType: 'personal' });
    expect(mine).toMatchObject({ lockType: 'personal', ownerId: 'us_editor', madeBy: 'us_editor' });
    expect((await present()).map(({ id }) => id)).not.toContain(mine.id);
    const patch = { title: 'Ours', description: 'What waits', icon: 'star', meta: { height: 'high' } };
    expect(await views.update(editor, mine.id, patch)).toMatchObject(patch);
    await views.createSort(editor, mine.id, { columnId: column('Age'), direction: 'asc' });
    for (const refused of [{ lockType: 'collaborative' }, { lockType: 'locked' }] as const)
      await expect(views.update(editor, mine.id, refused)).rejects.toMatchObject({ status: 403 });
    await expect(views.delete(creator, mine.id)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await views.delete(editor, mine.id);
    await expect(views.update(editor, mine.id, { title: 'x' })).rejects.toMatchObject({
      code: 'VIEW_NOT_FOUND',
    });
    await dispose();
  });

  test('options of a type that asks for more than arranging are not for editors, nor are personal views of it', async () => {
    const { views, viewTypes, permissions, creator, editor, table, column, dispose } = await start();
    permissions.register(
      { id: 'letterViewCreate', label: 'Create a letter', scope: 'project', roles: [] },
      'view-letter',
    );
    const columnOptions = { type: 'object', properties: {} } as const;
    viewTypes.register(
      { id: 'letter', label: 'Letter', optionsPermission: 'viewUpdate', columnOptions },
      'view-letter',
    );
    const letter = { title: 'Letter', type: 'letter' };
    const made = await views.create(creator, table.id, letter);
    const refused = { status: 403 };
    await expect(views.update(editor, made.id, { meta: { to: 'a@b.co' } })).rejects.toMatchObject(refused);
    await expect(
      views.setColumn(editor, made.id, column('Age'), { meta: { bold: true } }),
    ).rejects.toMatchObject(refused);
    const personal = { ...letter, lockType: 'personal' } as const;
    await expect(views.create(editor, table.id, personal)).rejects.toMatchObject(refused);
    expect(await views.create(creator, table.id, personal)).toMatchObject({ ownerId: 'us_creator' });
    await dispose();
  });

  test('whoever came without an account has no personal view', async () => {
    const { access, views, table, dispose } = await start();
    const visitor = { kind: 'sharedBase', id: '', email: '', accountRoles: [] } as const;
    const scope = await access.scopeFor(visitor, table.projectId, 'r');
    await expect(
      views.create(scope, table.id, { title: 'Mine', type: 'grid', lockType: 'personal' }),
    ).rejects.toMatchObject({ status: 403 });
    await dispose();
  });

  test('everybody keeps a view: the default one is not made personal, and no personal one takes its place', async () => {
    const { views, creator, first, make, present, dispose } = await start();
    await expect(views.update(creator, first, { lockType: 'personal' })).rejects.toMatchObject({
      code: 'VIEW_FOR_ALL',
    });
    const mine = await make('Mine');
    await views.update(creator, mine.id, { lockType: 'personal' });
    await expect(views.delete(creator, first)).rejects.toMatchObject({ code: 'LAST_VIEW' });
    const third = await make('Third');
    await views.delete(creator, first);
    expect((await present()).map((view) => [view.title, view.isDefault])).toEqual([
      [mine.title, false],
      [third.title, true],
    ]);
    await dispose();
  });

  test('a view that becomes the default and personal at the same moment becomes one of the two', async () => {
    const { views, creator, other, make, present, dispose } = await start();
    for (let pair = 1; pair <= 20; pair += 1) {
      const view = await make(`View ${pair}`);
      const outcomes = await Promise.allSettled([
        views.update(other, view.id, { isDefault: true }),
        views.update(creator, view.id, { lockType: 'personal' }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
    const all = await present();
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(all.filter(({ isDefault, lockType }) => isDefault && lockType === 'personal')).toEqual([]);
    await dispose();
  });

  test('a view that is sent back whole keeps its owner, and a locked one its arrangement', async () => {
    const { views, creator, other, make, dispose } = await start();
    const view = await make('Second');
    await views.update(other, view.id, { title: 'Renamed', lockType: view.lockType });
    expect(await views.update(creator, view.id, { lockType: 'locked' })).toMatchObject({ title: 'Renamed' });
    const same = { showSystemFields: view.showSystemFields, lockType: 'locked' } as const;
    expect(await views.update(other, view.id, { ...same, title: 'Again' })).toMatchObject({
      title: 'Again',
      ownerId: 'us_creator',
    });
    await expect(views.update(other, view.id, { ...same, showSystemFields: true })).rejects.toMatchObject({
      code: 'VIEW_LOCKED',
    });
    await dispose();
  });

  test('groups of filters end at the same depth however they are added', async () => {
    const { views, creator, column, first, dispose } = await start();
    let parentId: string | undefined;
    for (let depth = 1; depth <= 5; depth += 1) {
      const group = await views.createFilter(creator, first, { isGroup: true, parentId });
      parentId = group.id;
    }
    await expect(views.createFilter(creator, first, { isGroup: true, parentId })).rejects.toMatchObject({
      code: 'FILTER_DEPTH',
    });
    await expect(
      views.createFilter(creator, first, { parentId: 'fi_unknown', columnId: column('Age') }),
    ).rejects.toMatchObject({ code: 'FILTER_PARENT' });
    await dispose();
  });

  test('a view that was saved before its type asked for more can be copied', async () => {
    const { views, viewTypes, permissions, creator, table, dispose } = await start();
    permissions.register(
      { id: 'boardViewCreate', label: 'Create a board', scope: 'project', roles: [] },
      'view-board',
    );
    const board = { id: 'board', label: 'Board' };
    const former = viewTypes.register(
      { ...board, options: { type: 'object', properties: {} } },
      'view-board',
    );
    const made = await views.create(creator, table.id, {
      title: 'Old',
      type: 'board',
      meta: { size: 'huge' },
    });
    void former.dispose();
    const size = { type: 'string', enum: ['small', 'large'] } as const;
    viewTypes.register(
      {
        ...board,
        options: { type: 'object', required: ['stack'], properties: { size, stack: { type: 'string' } } },
      },
      'view-board',
    );
    const copy = { title: 'Copy', type: 'board', copyFrom: made.id };
    expect((await views.create(creator, table.id, copy)).meta).toEqual({ size: 'huge' });
    await expect(
      views.create(creator, table.id, { ...copy, title: 'Other', meta: { size: 'vast', stack: 'x' } }),
    ).rejects.toMatchObject({ code: 'VIEW_OPTIONS_INVALID' });
    await dispose();
  });

  test('the save rule of a type judges two simultaneous changes one after the other', async () => {
    const { views, viewTypes, permissions, creator, column, table, dispose } = await start();
    permissions.register(
      { id: 'boardViewCreate', label: 'Create a board', scope: 'project', roles: [] },
      'view-board',
    );
    viewTypes.register(
      {
        id: 'board',
        label: 'Board',
        willSave({ columns }) {
          if (!columns.some(({ show }) => show)) throw new Veto('BOARD_EMPTY', 'A board shows a column.');
        },
      },
      'view-board',
    );
    const board = await views.create(creator, table.id, { title: 'Board', type: 'board' });
    await views.setColumn(creator, board.id, column('Id'), { show: false });
    const outcomes = await Promise.allSettled(
      ['Title', 'Age'].map((title) => views.setColumn(creator, board.id, column(title), { show: false })),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await dispose();
  });

  test('options that two people change at the same time are both saved, and a conflict is refused', async () => {
    const { views, creator, other, first, dispose } = await start();
    await views.update(creator, first, { meta: { height: 'low', wrap: true } });
    const metaBefore = { height: 'low', wrap: true };
    await Promise.all([
      views.update(creator, first, { metaBefore, meta: { ...metaBefore, height: 'high' } }),
      views.update(other, first, { metaBefore, meta: { ...metaBefore, wrap: false } }),
    ]);
    const seen = await views.update(creator, first, { title: 'Seen' });
    expect(seen.meta).toEqual({ height: 'high', wrap: false });
    await expect(
      views.update(other, first, { metaBefore, meta: { ...metaBefore, height: 'medium' } }),
    ).rejects.toMatchObject({ code: 'OPTIONS_CHANGED', status: 409 });
    await dispose();
  });

  test('who sends back a view of which a part is hidden from them changes only what they see', async () => {
    const { access, schema, views, viewAdditions, creator, table, first, column, present, dispose } =
      await start();
    const marks = {
      id: 'marks',
      options: { type: 'object', properties: { list: { type: 'array' } } } as const,
      told: ({ list }: { readonly list?: unknown }, isSeen: (id: string) => boolean) => ({
        list: (list as readonly { columnId: string }[]).filter(({ columnId }) => isSeen(columnId)),
      }),
    };
    viewAdditions.register(marks, 'marks');
    const secret = { id: 'a', columnId: column('Age'), note: '> 60' };
    const open = { id: 'b', columnId: column('Title'), note: 'x' };
    const kept = { additions: { marks: { list: [secret, open] } } };
    await views.update(creator, first, { meta: kept });
    const readable = new Set([column('Id'), column('Title')]);
    const narrowed = access.narrow(creator, { columns: new Map([[table.id, { readable }]]) });
    const told = async () => (await schema.table(narrowed, table.id)).views[0]?.meta ?? {};
    const saved = async () => (await present())[0]?.meta;
    expect(await told()).toEqual({ additions: { marks: { list: [open] } } });

    await views.update(narrowed, first, { title: 'Renamed', meta: await told() });
    expect(await saved()).toEqual(kept);
    const changed = { ...open, note: 'y' };
    await views.update(narrowed, first, { meta: { additions: { marks: { list: [changed] } } } });
    expect(await saved()).toEqual({ additions: { marks: { list: [secret, changed] } } });
    await views.update(narrowed, first, { meta: {} });
    expect(await saved()).toEqual({ additions: { marks: { list: [secret] } } });

    await views.update(creator, first, { lockType: 'locked' });
    await views.update(narrowed, first, { title: 'Locked', meta: await told() });
    expect(await saved()).toEqual({ additions: { marks: { list: [secret] } } });
    await dispose();
  });

  test('a view whose group is gone is renamed by whoever sends it back, and copied without the group', async () => {
    const { metadata, schema, views, creator, table, first, make, present, dispose } = await start();
    const group = await views.createGroup(creator, table.id, 'Gone');
    const other = await make('Other');
    // As when somebody puts a view into a group while it is deleted.
    await metadata.database.write((unit) =>
      unit.run(unit.knex('trellis_view').where({ id: first }).update({ group_id: group.id })),
    );
    const rows = await metadata.database.write((unit) =>
      unit.run(unit.knex('trellis_table').where({ id: table.id }).update({ view_groups: '[]' })),
    );
    expect(rows.changes).toBe(1);
    await schema.updateTable(creator, table.id, { title: 'Persons' });
    expect((await present()).find(({ id }) => id === first)?.groupId).toBe(group.id);

    const renamed = await views.update(creator, first, { title: 'Renamed', groupId: group.id, icon: null });
    expect(renamed).toMatchObject({ title: 'Renamed' });
    const copy = await views.create(creator, table.id, { title: 'Copy', type: 'grid', copyFrom: first });
    expect(copy.groupId).toBeUndefined();
    await expect(views.update(creator, other.id, { groupId: group.id })).rejects.toMatchObject({
      code: 'VIEW_GROUP_NOT_FOUND',
    });
    await dispose();
  });
});
