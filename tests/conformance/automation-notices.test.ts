import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { longestChain, type AutomationEntity } from '../../plugins/automations/shared/index.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';
import type { NoticeList } from '../../plugins/notification-center/shared/index.ts';
import { openPost, type Post } from '../../plugins/sys-mail/testing/post.ts';

const base = '/api/v1/plugins/automations';

describe('automations on a server that sends mail', () => {
  let desk: Desk;
  let post: Post;
  const made: string[] = [];

  beforeAll(async () => {
    post = openPost();
    desk = await openDesk({
      plugins: [post.plugin],
      env: { TRELLIS_SITE_URL: 'https://tables.example.com' },
    });
  });
  afterEach(async () => {
    for (const id of made.splice(0)) await desk.ann.delete(`${base}/automations/${id}`);
    desk.receiver.answer((_, response) => void response.end('ok'));
  });
  afterAll(() => desk?.close());

  const make = async (change: object): Promise<AutomationEntity> => {
    const automation = await desk.make(change);
    made.push(automation.id);
    return automation;
  };
  const ask = (row: object) => desk.ann.post<{ Id: number }>(desk.rows('Requests'), row);
  const call = (path: string) => ({
    id: 'call',
    name: 'call',
    type: 'address.call',
    settings: { method: 'POST', path: desk.receiver.url + path },
  });
  const notices = async () =>
    (await desk.ann.get<NoticeList>('/api/v1/plugins/notification-center/notices')).body.list;

  test('send a mail with what is in the row and in the steps before', async () => {
    const { id } = await make({
      steps: [
        {
          id: 'task',
          name: 'task',
          type: 'row.create',
          settings: {
            table: desk.tasks.id,
            cells: { [desk.column(desk.tasks, 'Title')]: 'Do {{row.Title}}' },
          },
        },
        {
          id: 'mail',
          name: 'mail',
          type: 'mail.send',
          settings: {
            to: 'bob@example.com; {{row.Note}}',
            subject: 'Asked for:\n{{row.Title}}',
            text: 'Task {{steps.task.key}}: {{steps.task.row.Title}}\nFor {{row.Note}}',
          },
        },
      ],
    });
    await ask({ Title: 'paint', Note: 'carl@example.com' });
    const mail = {
      to: ['bob@example.com', 'carl@example.com'],
      subject: 'Asked for: paint',
      text: 'Task 1: Do paint\nFor carl@example.com',
    };
    expect(await post.until('Asked for: paint')).toEqual([mail]);
    const [run] = await desk.runs(id, ([one]) => one?.state === 'done');
    expect((await desk.run(id, run?.id ?? '')).steps).toMatchObject([
      { name: 'task', state: 'done' },
      { name: 'mail', state: 'done', input: mail, error: null },
    ]);
  });

  test('tell their owner of a run that failed, once a day, in the page and by mail', async () => {
    desk.receiver.answer((_, response) => void response.writeHead(404).end());
    const { id } = await make({ title: 'Nightly', steps: [call('/missing')] });
    const haveFailed = (count: number) =>
      desk.runs(id, (list) => list.length === count && list.every(({ state }) => state === 'failed'));
    await ask({ Title: 'a' });
    const [failed] = await haveFailed(1);
    const [mail] = await post.until('A run of the automation Nightly failed');
    expect(mail?.to).toEqual(['ann@example.com']);
    expect(mail?.text).toContain('A run of the automation Nightly in Desk failed.');
    expect(mail?.text).toContain('The address answered with the status 404.');
    await ask({ Title: 'b' });
    await haveFailed(2);
    // What comes later is told, so that the second failure was not.
    await make({ title: 'Weekly', steps: [call('/missing')] });
    await ask({ Title: 'c' });
    await post.until('A run of the automation Weekly failed');
    expect(post.mails.filter(({ subject }) => subject.includes('Nightly'))).toHaveLength(1);
    expect((await notices()).filter(({ title }) => title === 'Nightly')).toMatchObject([
      {
        kind: 'automation-failed',
        text: 'A run of an automation of yours failed',
        project: { title: 'Desk' },
        opens: { param: 'automation', value: `${id}.${failed?.id ?? ''}` },
        reason: { code: 'AUTOMATION_ANSWER', msg: 'The address answered with the status 404.' },
        is_read: false,
      },
    ]);
  });

  test('go five deep: the sixth of a chain is paused, and its owner is told', async () => {
    const level = desk.column(desk.tasks, 'Note');
    /** Each is started by the row that the one before made. */
    const link = (depth: number) =>
      make({
        title: `Level ${depth}`,
        trigger: { type: 'row.added', settings: { table: desk.tasks.id } },
        conditions: [
          { fk_column_id: level, comparison_op: 'eq', value: `level ${depth}`, logical_op: 'and' },
        ],
        steps: [
          {
            id: 'next',
            name: 'next',
            type: 'row.create',
            settings: {
              table: desk.tasks.id,
              cells: { [desk.column(desk.tasks, 'Title')]: 'chain', [level]: `level ${depth + 1}` },
            },
          },
        ],
      });
    const chain: AutomationEntity[] = [];
    for (let depth = 1; depth <= longestChain + 1; depth += 1) chain.push(await link(depth));
    const last = chain.at(-1)?.id ?? '';
    await desk.ann.post(desk.rows('Tasks'), { Title: 'chain', Note: 'level 1' });
    const paused = await desk.until(last, (automation) => automation.paused !== null);
    expect(paused).toMatchObject({
      active: true,
      paused: { code: 'AUTOMATION_CHAIN', params: { most: longestChain } },
    });
    for (const { id } of chain.slice(0, -1))
      expect(await desk.runs(id, ([one]) => one?.state === 'done')).toHaveLength(1);
    expect(await desk.runs(last, () => true)).not.toContainEqual(expect.objectContaining({ state: 'done' }));
    const { body } = await desk.ann.get<{ list: readonly { Note: string }[] }>(
      `${desk.rows('Tasks')}?where=(Title,eq,chain)&sort=Id`,
    );
    expect(body.list.map(({ Note }) => Note)).toEqual(
      Array.from({ length: longestChain + 1 }, (_, index) => `level ${index + 1}`),
    );

    const subject = `The automation Level ${longestChain + 1} is paused`;
    const [mail] = await post.until(subject);
    expect(mail?.to).toEqual(['ann@example.com']);
    expect(mail?.text).toContain('in Desk begins no more runs.');
    expect(mail?.text).toContain(paused.paused?.msg);
    expect((await notices())[0]).toMatchObject({
      kind: 'automation-paused',
      text: 'An automation of yours is paused',
      title: `Level ${longestChain + 1}`,
      project: { title: 'Desk' },
      reason: { code: 'AUTOMATION_CHAIN' },
    });
    expect(post.mails.filter((of) => of.subject === subject)).toHaveLength(1);
  });
});
