import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Api } from 'nocodb-sdk';
import { answerShapes, refusedCalls } from './answer-shapes.ts';
import { asSent, callsOf, describeClient, type Cities } from './ground.ts';

/** The groups and calls of the client that sections 5 to 12, 14, 16 and 17 of the contract describe. */
const sections =
  /^(?:project|dbTable|dbTableColumn|dbView|dbViewShare|dbViewColumn|dbTableSort|dbTableFilter|dbTableWebhookFilter|dbTableRow|dbViewRow|plugin|apiToken|storage)\.|^auth\.projectUser|^utils\.(?:comment|audit)|^public\.sharedBaseGet$/;

interface Seen {
  readonly call: string;
  readonly answer?: unknown;
  readonly refusal?: unknown;
}

type Client = Api<unknown>;
type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** The same client, which notes what each of its calls is answered. */
function noting(api: Client, seen: Seen[]): Client {
  const groups = Object.entries(api).map(([group, calls]: [string, unknown]) => {
    if (group === 'instance' || typeof calls !== 'object' || calls === null) return [group, calls];
    const noted = Object.entries(calls as Record<string, Call>).map(([name, call]) => [
      name,
      async (...given: readonly unknown[]) => {
        try {
          const answer = await call(...given);
          seen.push({ call: `${group}.${name}`, answer });
          return answer;
        } catch (refusal) {
          seen.push({ call: `${group}.${name}`, refusal });
          throw refusal;
        }
      },
    ]);
    return [group, Object.fromEntries(noted)];
  });
  return Object.fromEntries(groups) as Client;
}

const at = ['noco', 'Atlas', 'City'] as const;
/** The types of the client say less than it answers. */
const idIn = (made: unknown) => (made as { readonly id?: string }).id ?? '';

async function useProject({ api, projectId }: Cities): Promise<void> {
  await api.project.list({});
  await api.project.read(projectId);
  await api.project.metaGet(projectId, {}, {});
  await api.project.cost(projectId);
  await api.project.auditList(projectId, {} as never);
  const rules = (await api.project.modelVisibilityList(projectId, {})) as unknown as readonly object[];
  await api.project.modelVisibilitySet(projectId, rules as never);
  await api.project.metaDiffGet(projectId);
  await api.project.metaDiffSync(projectId);
  await api.project.sharedBaseGet(projectId);
  const { uuid } = (await api.project.sharedBaseCreate(projectId, {
    roles: 'viewer',
  } as never)) as unknown as {
    uuid: string;
  };
  await api.project.sharedBaseGet(projectId);
  await api.project.sharedBaseUpdate(projectId, { roles: 'editor' } as never);
  await api.public.sharedBaseGet(uuid);
  await api.project.sharedBaseDisable(projectId);
  const id = idIn(await api.project.create({ title: 'Other' }));
  await api.project.update(id, { title: 'Another' });
  await api.project.delete(id);
}

async function usePeople({ api, projectId }: Cities): Promise<void> {
  const bob = { email: 'bob@example.com', roles: 'viewer', project_id: projectId, projectName: 'Atlas' };
  await api.auth.projectUserAdd(projectId, bob as never);
  const { users } = (await api.auth.projectUserList(projectId)) as unknown as {
    readonly users: { readonly list: readonly { readonly id: string; readonly email: string }[] };
  };
  const id = users.list.find(({ email }) => email === bob.email)?.id ?? '';
  await api.auth.projectUserResendInvite(projectId, id, {}).catch(() => undefined);
  await api.auth.projectUserUpdate(projectId, id, { ...bob, roles: 'editor' } as never);
  await api.auth.projectUserRemove(projectId, id);
  const made = (await api.apiToken.create(projectId, { description: 'Import' })) as unknown as {
    readonly token: string;
  };
  await api.apiToken.list(projectId);
  await api.apiToken.delete(projectId, made.token);
}

async function useTables({ api, projectId }: Cities): Promise<void> {
  const columns = [
    { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
    { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
  ];
  const made = await api.dbTable.create(projectId, { table_name: 'town', title: 'Town', columns } as never);
  const id = made.id ?? '';
  await api.dbTable.list(projectId);
  await api.dbTable.read(id);
  await api.dbTable.update(id, { title: 'Village', project_id: projectId } as never);
  await api.dbTable.reorder(id, { order: 7 } as never);
  const note = { column_name: 'note', title: 'Note', uidt: 'LongText' };
  const added = (await api.dbTableColumn.create(id, note as never)) as unknown as {
    readonly columns: readonly { readonly id: string; readonly title: string }[];
  };
  const noteId = added.columns.find(({ title }) => title === 'Note')?.id ?? '';
  await api.dbTableColumn.update(noteId, { ...note, title: 'Remark' } as never);
  await api.dbTableColumn.primaryColumnSet(noteId);
  await api.dbTableColumn.delete(noteId);
  await api.dbTable.delete(id);
}

async function useViews({ api, table }: Cities): Promise<void> {
  const tableId = table.id ?? '';
  const people = table.columns?.find(({ title }) => title === 'People')?.id ?? '';
  await api.dbView.list(tableId);
  const grid = idIn(await api.dbView.gridCreate(tableId, { title: 'Grid' } as never));
  const form = idIn(await api.dbView.formCreate(tableId, { title: 'Form' } as never));
  const gallery = idIn(await api.dbView.galleryCreate(tableId, { title: 'Gallery' } as never));
  await api.dbView.update(grid, { title: 'Wide' } as never);
  const columns = (await api.dbView.gridColumnsList(grid)) as unknown as readonly { readonly id: string }[];
  await api.dbView.gridColumnUpdate(columns[0]?.id ?? '', { width: '300px' });
  await api.dbView.hideAllColumn(grid, {} as never);
  await api.dbView.showAllColumn(grid, {} as never);
  for (const of of [grid, form, gallery]) await api.dbViewColumn.list(of);
  const shown = idIn(await api.dbViewColumn.create(grid, { fk_column_id: people, show: true } as never));
  await api.dbViewColumn.update(grid, shown, { show: false });
  const read = (await api.dbView.formRead(form)) as unknown as {
    readonly columns: readonly { readonly id: string }[];
  };
  await api.dbView.formUpdate(form, { heading: 'Ask' } as never);
  await api.dbView.formColumnUpdate(read.columns[0]?.id ?? '', { label: 'Who' } as never);
  await api.dbView.galleryRead(gallery);
  await api.dbView.galleryUpdate(gallery, { fk_cover_image_col_id: '' } as never);
  await api.dbViewShare.create(grid);
  await api.dbViewShare.list(tableId);
  await api.dbViewShare.update(grid, { password: 'a-Passw0rd' } as never);
  await api.dbViewShare.delete(grid);
  const sort = idIn(await api.dbTableSort.create(grid, { fk_column_id: people, direction: 'asc' } as never));
  await api.dbTableSort.list(grid);
  await api.dbTableSort.get(sort);
  await api.dbTableSort.update(sort, { direction: 'desc' } as never);
  await api.dbTableSort.delete(sort);
  const condition = { fk_column_id: people, comparison_op: 'gt', value: '1', logical_op: 'and' };
  const group = { is_group: true, logical_op: 'and', children: [condition] };
  const filter = idIn(await api.dbTableFilter.create(grid, group as never));
  await api.dbTableFilter.read(grid);
  await api.dbTableFilter.get(filter);
  await api.dbTableFilter.childrenRead(filter);
  await api.dbTableFilter.update(filter, { logical_op: 'or' } as never);
  await api.dbTableFilter.delete(filter);
  await api.dbView.delete(grid);
  const hook = idIn(
    await api.dbTableWebhook.create(tableId, {
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { path: 'https://example.com/hook' } },
    } as never),
  );
  await api.dbTableWebhookFilter.create(hook, condition as never);
  await api.dbTableWebhookFilter.read(hook, {} as never);
}

async function useRows({ api, table, view }: Cities): Promise<void> {
  const keyIn = (made: unknown) => String((made as { readonly Id: unknown }).Id);
  const rome = { Name: 'Rome', People: 2_800_000 };
  const id = keyIn(await api.dbTableRow.create(...at, rome));
  await api.dbTableRow.list(...at);
  await api.dbTableRow.findOne(...at, { where: '(Name,eq,Rome)' });
  await api.dbTableRow.groupBy(...at, { column_name: 'name' } as never);
  await api.dbTableRow.read(...at, id);
  await api.dbTableRow.exist(...at, id);
  await api.dbTableRow.update(...at, id, { Name: 'Roma' });
  await api.dbTableRow.csvExport(...at, 'csv');
  await api.dbTableRow.delete(...at, id);
  const made = (await api.dbTableRow.bulkCreate(...at, [rome, rome])) as unknown as readonly object[];
  const [one, other] = made.map(keyIn).map(Number);
  await api.dbTableRow.bulkUpdate(...at, [{ Id: one, Name: 'Roma' }]);
  await api.dbTableRow.bulkDelete(...at, [{ Id: one }]);
  const last = { query: { where: `(Id,eq,${String(other)})` } } as never;
  await api.dbTableRow.bulkUpdateAll(...at, { People: 1 }, last);
  await api.dbTableRow.bulkDeleteAll(...at, {}, last);

  const through = [...at, view] as const;
  const own = keyIn(await api.dbViewRow.create(...through, rome)) as never;
  await api.dbViewRow.list(...through);
  await api.dbViewRow.findOne(...through, { where: '(Name,eq,Rome)' } as never);
  await api.dbViewRow.groupBy(...through, { column_name: 'name' } as never);
  await api.dbViewRow.count(...through);
  await api.dbViewRow.read(...through, own);
  await api.dbViewRow.update(...through, own, { Name: 'Roma' });
  await api.dbViewRow.exist(...through, own);
  await api.dbViewRow.export(...through, 'csv' as never);
  await api.dbViewRow.delete(...through, own);

  const ends = { uidt: 'LinkToAnotherRecord', title: 'Near', parentId: table.id, childId: table.id };
  await api.dbTableColumn.create(table.id ?? '', { ...ends, type: 'mm' } as never);
  const near = [...at, '1', 'mm', 'Near'] as const;
  await api.dbTableRow.nestedChildrenExcludedList(...near);
  await api.dbTableRow.nestedAdd(...near, '2');
  await api.dbTableRow.nestedList(...near);
  await api.dbTableRow.nestedRemove(...near, '2');

  const of = { fk_model_id: table.id ?? '', row_id: '1' };
  await api.utils.commentRow({ ...of, comment: 'Is that so?' } as never);
  await api.utils.commentList({ ...of, comments_only: true } as never);
  await api.utils.commentCount({ fk_model_id: of.fk_model_id, ids: ['1', '2'] } as never);
  const change = { ...of, column_name: 'name', value: 'x', prev_value: 'y' };
  await api.utils.auditRowUpdate('1', change as never);
}

async function useServer({ api }: Cities): Promise<void> {
  await api.plugin.list();
  await api.plugin.read('app-smtp');
  await api.plugin.status('SMTP');
  const input = { from: 'a@example.com', host: '169.254.169.254', security: 'none' };
  await api.plugin.update('app-smtp', { input: JSON.stringify(input), active: true } as never);
  await api.plugin.test({ title: 'SMTP', category: 'Email', input } as never).catch(() => undefined);
  const form = new FormData();
  form.append('file', new Blob(['Bern'], { type: 'text/plain' }), 'note.txt');
  const path = 'noco/Atlas/City/Files';
  await api.storage.upload({ path }, ...(await asSent(form)));
  const elsewhere = [{ url: 'http://127.0.0.1:9/x', fileName: 'x', mimetype: 'text/plain', size: '1' }];
  await api.storage.uploadByUrl({ path }, elsewhere as never).catch(() => undefined);
}

describe('the list of shapes', () => {
  test('has each call of those sections', () => {
    const calls = callsOf(new Api({ baseURL: 'http://nowhere.test' })).filter((call) => sections.test(call));
    expect([...Object.keys(answerShapes), ...refusedCalls].toSorted()).toEqual(calls.toSorted());
  });
});

describeClient('the shapes of answers', ({ withCities }) => {
  test('each call is answered in the shape that the contract has for it', async () => {
    const cities = await withCities();
    const seen: Seen[] = [];
    const noted = { ...cities, api: noting(cities.api, seen) };
    for (const use of [useProject, usePeople, useTables, useViews, useRows, useServer]) await use(noted);

    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
    const wrong = Object.entries(answerShapes).flatMap(([call, shape]) => {
      const answers = seen.filter((of) => of.call === call);
      if (answers.length === 0) return [`${call} was not called`];
      return answers.flatMap(({ answer, refusal }) => {
        if (refusal !== undefined)
          return [
            `${call} was refused: ${refusal instanceof Error ? refusal.message : JSON.stringify(refusal)}`,
          ];
        const isRight = ajv.compile(shape);
        return isRight(answer) ? [] : [`${call}: ${ajv.errorsText(isRight.errors)}`];
      });
    });
    expect(wrong).toEqual([]);
    for (const call of refusedCalls)
      expect(seen.filter((of) => of.call === call)).toEqual([
        { call, refusal: expect.objectContaining({ response: expect.objectContaining({ status: 400 }) }) },
      ]);
  });
});
