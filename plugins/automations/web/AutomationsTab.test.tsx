import { afterEach, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { ApiError, OpenRequests, type ApiRequest, type AutomationInputProps } from '@trellis/sdk/web';
import {
  aColumn,
  aProject,
  aTable,
  aView,
  renderWithHost,
  type MemoryHostOptions,
} from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AutomationEntity, KindsEntity } from '../shared/index.ts';
import { addressCall, messageSend, rowAdded, rowCreate, rowsFind } from '../shared/index.ts';
import { createAutomationsButton } from './AutomationsButton.tsx';
import AutomationsTab from './AutomationsTab.tsx';

const requests = {
  id: 'md_r',
  title: 'Requests',
  columns: [
    aColumn('cl_id', 'Id', { uidt: 'ID', pk: true, ai: true }),
    aColumn('cl_t', 'Title', { pv: true }),
    aColumn('cl_state', 'State', {
      uidt: 'SingleSelect',
      meta: { options: [{ title: 'Open' }, { title: 'Done' }] },
    }),
    aColumn('cl_paid', 'Paid', { uidt: 'Checkbox' }),
    aColumn('cl_link', 'Asked by', { uidt: 'LinkToAnotherRecord', virtual: true }),
  ],
  views: [
    { id: 'vw_grid', title: 'Grid', view_type: 'grid' },
    { id: 'vw_ask', title: 'Ask', view_type: 'form' },
  ],
};
const kinds: KindsEntity = {
  triggers: [
    { ...rowAdded, table: 'table' },
    {
      id: 'form.asked',
      label: 'A form is asked',
      icon: 'file',
      inputs: [
        { id: 'table', label: 'Table', kind: 'table', isRequired: true },
        { id: 'form', label: 'Form', kind: 'view', table: 'table', only: 'form', isRequired: true },
      ],
      table: 'table',
      values: [],
    },
    {
      id: 'late.called',
      label: 'Something is called',
      icon: 'globe',
      inputs: [
        { id: 'why', label: 'Why', kind: 'text' },
        { id: 'secret', label: 'Secret', kind: 'part', part: 'late.secret' },
      ],
      table: null,
      values: [],
    },
    {
      id: 'clock.struck',
      label: 'The clock strikes',
      icon: 'clock',
      inputs: [{ id: 'time', label: 'When it starts', kind: 'time', isRequired: true }],
      table: null,
      values: ['at'],
    },
  ],
  steps: [rowCreate, rowsFind, addressCall, messageSend],
  channels: [],
  channels_off: [],
};
const plan: AutomationEntity = {
  id: 'au_1',
  project_id: 'p_1',
  title: 'Plan',
  trigger: { type: 'row.added', settings: { table: 'md_r' } },
  conditions: [],
  steps: [
    { id: 's1', name: 'call', type: 'address.call', settings: { path: 'https://example.com/{{row.Title}}' } },
  ],
  active: true,
  paused: { msg: 'It started itself.', code: 'NO_SUCH_CODE' },
  owner: { id: 'us_1', email: 'ann@example.com' },
  version: 1,
  revision: '1',
  last_run: { state: 'failed', at: '2026-01-02T03:04:05.000Z' },
  next_runs: [],
  failures: 2,
  waiting: 3,
  stuck: null,
  dropped: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

function draw(
  list: readonly AutomationEntity[],
  answers: (request: ApiRequest) => unknown = () => ({}),
  registries: MemoryHostOptions['registries'] = {},
  more: Pick<MemoryHostOptions, 'route' | 'user'> & { readonly kinds?: Partial<KindsEntity> } = {},
) {
  const sent: ApiRequest[] = [];
  const api = (request: ApiRequest) => {
    const { method = 'GET', path } = request;
    if (method !== 'GET') {
      sent.push(request);
      return answers(request);
    }
    if (path.endsWith('/kinds')) return { ...kinds, ...more.kinds };
    if (path.includes('/runs')) return answers(request);
    if (path.endsWith('/p_1/md_r')) return { list: [{ Id: 7, Title: 'Chair' }], pageInfo: { totalRows: 1 } };
    if (path.endsWith('/automations')) return { list };
    if (path.endsWith('/tables')) return { list: [requests] };
    if (path.endsWith('/tables/md_r')) return requests;
    throw new ApiError(404, path);
  };
  const project = aProject({ title: 'Desk', permissions: ['automationList', 'automationSet'] });
  const cameFrom = new OpenRequests<TableEntity>();
  const Button = createAutomationsButton(cameFrom);
  const table = { ...aTable([]), id: 'md_r', project_id: project.id };
  const { host } = renderWithHost(
    <>
      <Button project={project} table={table} view={aView()} readOnly={false} />
      <AutomationsTab project={project} cameFrom={cameFrom} />
    </>,
    {
      project,
      api,
      registries,
      ...(more.route !== undefined && { route: more.route }),
      ...(more.user !== undefined && { user: more.user }),
    },
  );
  return { sent, shell: host.shell };
}

/** Gives what is sent. */
function show(...of: Parameters<typeof draw>): readonly ApiRequest[] {
  return draw(...of).sent;
}

afterEach(cleanup);

test('whoever comes from a table finds the automations beside its other tools, and makes one that is about it', async () => {
  const { shell } = draw([]);
  await userEvent.click(screen.getByRole('button', { name: 'Automations' }));
  expect(shell.activeTab).toMatchObject({ type: 'automations', key: 'automations' });
  await userEvent.click(await screen.findByRole('button', { name: 'New automation' }));
  const started = await screen.findByRole('region', { name: 'When' });
  expect(await within(started).findByRole('combobox', { name: 'Table' })).toHaveProperty('value', 'md_r');
});

test('the list says why one is paused and how many runs failed, and the switch lets it go on', async () => {
  const sent = show([plan]);
  await screen.findByText('Paused: It started itself.');
  expect(screen.getByText('2 failures')).toBeTruthy();
  expect(await screen.findByText('A row is added · Requests')).toBeTruthy();
  const control = screen.getByRole('switch', { name: 'Switch Plan on or off' });
  expect(control).toHaveProperty('checked', false);
  await userEvent.click(control);
  expect(sent).toMatchObject([{ method: 'PATCH', body: { active: true } }]);
});

test('one is duplicated under a name that no other one has', async () => {
  const user = userEvent.setup();
  const sent = show([plan, { ...plan, id: 'au_2', title: 'Plan copy' }], () => plan);
  await user.click(await screen.findByRole('button', { name: 'What to do with Plan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/api/v1/plugins/automations/automations/au_1/duplicate',
      body: { title: 'Plan copy 2' },
    },
  ]);
});

test('a time is set as that of a schedule is, and the list says it in words with the next one', async () => {
  const time = { cron: '0 8 * * 1-5', time_zone: 'Europe/Berlin' };
  const sent = show(
    [
      {
        ...plan,
        paused: null,
        trigger: { type: 'clock.struck', settings: { time } },
        next_runs: ['2026-03-03T07:00:00.000Z'],
      },
    ],
    () => plan,
  );
  await screen.findByText(
    /^The clock strikes · Every weekday at 08:00 · Europe\/Berlin · Next: Tue, Mar 3, 2026, 08:00 AM/,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Plan/ }));
  const when = within(await screen.findByRole('group', { name: 'When it starts' }));
  expect(within(when.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem')).toHaveLength(5);
  const zone = when.getByRole('combobox', { name: 'Time zone' });
  await userEvent.clear(zone);
  await userEvent.type(zone, 'Mars/Olympus');
  when.getByText(/^There is no time zone “Mars\/Olympus”/);
  await userEvent.clear(zone);
  await userEvent.type(zone, 'Asia/Kolkata');
  await userEvent.selectOptions(when.getByRole('combobox', { name: 'How often' }), 'minutes');
  when.getByText('Every 15 minutes');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent).toMatchObject([
    { body: { trigger: { settings: { time: { cron: '*/15 * * * *', time_zone: 'Asia/Kolkata' } } } } },
  ]);
});

test('a name behind which nothing stands is told while it is typed, and what is chosen from the list is put in', async () => {
  show([plan]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = await screen.findByRole('region', { name: '1. Call a URL' });
  const address = within(step).getByRole('textbox', { name: 'Address' });
  await within(step).findByRole('button', { name: 'Put a value into Address' });
  expect(within(step).queryByText(/^Nothing stands behind/)).toBeNull();
  await userEvent.type(address, '/{{row.Nope}}'.replaceAll('{', '{{'));
  expect(within(step).getByText(/^Nothing stands behind \{\{row.Nope\}\}/)).toBeTruthy();
  await userEvent.clear(address);
  await userEvent.type(address, 'https://example.com/');
  await userEvent.click(within(step).getByRole('button', { name: 'Put a value into Address' }));
  const values = await screen.findByRole('listbox', { name: 'Values' });
  // Before it was added there was no row.
  expect(within(values).queryByText(/previous\.Title/)).toBeNull();
  await userEvent.click(within(values).getByRole('option', { name: /^Title.*row\.Title/ }));
  expect(address).toHaveProperty('value', 'https://example.com/{{row.Title}}');
});

test('where the body of a call becomes no JSON is told while it is typed, and other bodies are left alone', async () => {
  show([plan]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = within(await screen.findByRole('region', { name: '1. Call a URL' }));
  const body = step.getByRole('textbox', { name: 'Body' });
  const type = (text: string) => userEvent.type(body, text.replace(/[{[]/g, '$&$&'));
  await type('{"title": "{{row.Title}}"');
  step.getByText(/becomes no JSON: something is missing at the end/);
  await type('}');
  expect(step.queryByText(/becomes no JSON/)).toBeNull();
  await type(']');
  step.getByText(/^Line 1: this becomes no JSON, since “]” does not belong there/);
  await userEvent.selectOptions(step.getByRole('combobox', { name: 'Method' }), 'GET');
  expect(step.queryByText(/becomes no JSON/)).toBeNull();
});

test('a step can be taken for each row that an earlier one found, and knows it as the item', async () => {
  const find = { id: 's0', name: 'find', type: 'rows.find', settings: { table: 'md_r' } };
  const sent = show([{ ...plan, steps: [find, ...plan.steps] }]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = await screen.findByRole('region', { name: '2. Call a URL' });
  const address = within(step).getByRole('textbox', { name: 'Address' });
  await userEvent.clear(address);
  await userEvent.type(address, '{{item.Title}}'.replaceAll('{', '{{'));
  expect(within(step).getByText(/^Nothing stands behind \{\{item.Title\}\}/)).toBeTruthy();
  const often = within(step).getByRole('combobox', { name: 'How often' });
  await userEvent.selectOptions(often, 'For each row of find');
  await within(step).findByRole('checkbox', { name: /^Go on with the next row/ });
  expect(within(step).queryByText(/^Nothing stands behind/)).toBeNull();
  await userEvent.click(within(step).getByRole('checkbox', { name: /^Go on with the next row/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ steps: [find, { each: { step: 's0', goesOn: true } }] });
  // (The step that finds the rows stands in no other place than before it.)
  expect(screen.queryByText(/does not stand before this one/)).toBeNull();
});

test('a cell of a select column takes one of its options, and a link the row that started the automation', async () => {
  const create = { id: 's1', name: 'create', type: 'row.create', settings: { table: 'md_r' } };
  const sent = show([{ ...plan, steps: [create] }]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = await screen.findByRole('region', { name: '1. Create a row' });
  const choose = async (of: string, option: string) =>
    userEvent.selectOptions(await within(step).findByRole('combobox', { name: of }), option);
  await choose('Set a column', 'State');
  await choose('State', 'Open');
  await choose('Set a column', 'Asked by');
  await choose('Asked by', 'The row that started it');
  await choose('State', 'A text with placeholders …');
  const text = within(step).getByRole('textbox', { name: 'State as a text' });
  expect(text).toHaveProperty('value', 'Open');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({
    steps: [{ settings: { cells: { cl_state: 'Open', cl_link: '{{trigger.row}}' } } }],
  });
});

test('the only view that can be chosen is chosen', async () => {
  const asked = { ...plan, trigger: { type: 'form.asked', settings: { table: 'md_r' } } };
  const sent = show([asked]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  await screen.findByRole('option', { name: 'Ask', selected: true });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ trigger: { settings: { table: 'md_r', form: 'vw_ask' } } });
});

test('what a save is refused for is told once, in the card of the step; a dry run tells it in its own box', async () => {
  show([plan], () => {
    throw new ApiError(400, 'This address is closed.', 'OUTBOUND_REFUSED', { step: 'call' });
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = await screen.findByRole('region', { name: '1. Call a URL' });
  const dryRun = within(screen.getByRole('region', { name: 'Dry run' }));
  await userEvent.click(dryRun.getByRole('button', { name: 'Show what it would do' }));
  await dryRun.findByText('Call a URL: This address is closed.');
  expect(within(step).queryByText(/This address is closed/)).toBeNull();
  expect(screen.queryByText(/It is not saved yet/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('It is not saved yet: please see the part that is marked.');
  expect(within(step).getByText('This address is closed.')).toBeTruthy();
});

test('a cell that its column does not take is marked where it stands', async () => {
  const settings = { table: 'md_r', cells: { cl_t: 'x', cl_state: 'Lost' } };
  const create = { id: 's1', name: 'create', type: 'row.create', settings };
  show([{ ...plan, steps: [create] }], () => {
    throw new ApiError(400, "'State' is no option.", 'VALUE_REFUSED', { step: 'create', column: 'State' });
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = within(await screen.findByRole('region', { name: '1. Create a row' }));
  const text = await step.findByRole('textbox', { name: 'State as a text' });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(text.getAttribute('aria-invalid')).toBe('true'));
  expect(step.getByRole('textbox', { name: 'Title' }).getAttribute('aria-invalid')).not.toBe('true');
});

test('a checkbox is set by its two values', async () => {
  const create = { id: 's1', name: 'create', type: 'row.create', settings: { table: 'md_r' } };
  const sent = show([{ ...plan, steps: [create] }]);
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = within(await screen.findByRole('region', { name: '1. Create a row' }));
  await userEvent.selectOptions(await step.findByRole('combobox', { name: 'Set a column' }), 'Paid');
  await userEvent.selectOptions(await step.findByRole('combobox', { name: 'Paid' }), 'Yes');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ steps: [{ settings: { cells: { cl_paid: 'true' } } }] });
});

test('a dry run is tried with a row that is chosen by what names it, and saves nothing', async () => {
  const sent = show([plan], () => ({ is_met: true, sample: null, steps: [] }));
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  await userEvent.click(
    await screen.findByRole('button', { name: 'Row to try it with, First row of the table' }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Chair' }));
  await screen.findByRole('button', { name: 'Row to try it with, Chair' });
  await userEvent.click(screen.getByRole('button', { name: 'Show what it would do' }));
  await screen.findByRole('list', { name: 'What it would do' });
  expect(sent.map(({ path, body }) => [path.split('/').at(-1), (body as { row?: string }).row])).toEqual([
    ['try', '7'],
  ]);
});

const tell = (channel?: object) => ({
  id: 's1',
  name: 'tell',
  type: 'message.send',
  settings: { text: 'Hi', ...(channel && { channel }) },
});
const bell = {
  id: 'bell',
  label: 'Bell',
  plugin: 'channel-bell',
  settings: { type: 'object', properties: {} },
} as const;

test('a channel that is switched off stays chosen by its name, with the way to the app store', async () => {
  const steps = [tell({ id: 'slack', settings: { channels: ['sales'] } })];
  const off = { channels: [bell], channels_off: [{ id: 'slack', label: 'Slack' }] };
  const sent = show([{ ...plan, steps }], undefined, {}, { kinds: off, user: { roles: { super: true } } });
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  await screen.findByRole('option', { name: 'Slack (switched off)', selected: true });
  expect(screen.getByRole('link', { name: 'Switch it on in the app store' })).toBeTruthy();
  expect(screen.queryByText(/No channel is set up/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ steps });
});

test('the only channel that there is is chosen', async () => {
  const sent = show([{ ...plan, steps: [tell()] }], undefined, {}, { kinds: { channels: [bell] } });
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  await screen.findByRole('option', { name: 'Bell', selected: true });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ steps: [{ settings: { channel: { id: 'bell' } } }] });
});

test('the list says what keeps runs of one back that is on', async () => {
  const stuck = {
    count: 1,
    reason: { msg: 'The plugin of the channel is switched off.', code: 'NO_SUCH_CODE' },
  };
  show([{ ...plan, paused: null, stuck }]);
  expect(await screen.findByText('One run waits: The plugin of the channel is switched off.')).toBeTruthy();
});

test('the address names the log that is open, and the run of it', async () => {
  const run = {
    id: 'ar_2',
    state: 'failed',
    version: 1,
    row_id: '7',
    row_title: 'Chair',
    error: { msg: 'Nobody answers.' },
    created_at: '2026-01-02T03:04:05.000Z',
    ended_at: null,
    next_at: null,
  };
  const answers = ({ path }: ApiRequest) =>
    path.endsWith('/ar_2')
      ? { ...run, trigger: { row: { Title: 'Chair' } }, steps: [] }
      : { list: [{ ...run, id: 'ar_3', row_title: 'Table' }], pageInfo: { totalRows: 40 } };
  draw([plan], answers, {}, { route: '/nc/p_1?type=automations&dbalias=automations&automation=au_1.ar_2' });
  await screen.findByRole('heading', { name: 'Log of Plan' });
  // It is on a later page by now.
  const [wanted, newest] = await screen.findAllByRole('group');
  expect(within(wanted as HTMLElement).getByText('Chair')).toBeTruthy();
  expect(wanted).toHaveProperty('open', true);
  expect(newest).toHaveProperty('open', false);
  await screen.findByRole('region', { name: 'What started it' });
});

test('one without a step is saved switched off', async () => {
  const sent = show([{ ...plan, steps: [] }]);
  await screen.findByText('It has no step yet, so it is switched off.');
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  await screen.findByText('Without a step it is saved switched off.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent[0]?.body).toMatchObject({ steps: [], active: false });
});

test('a dry run of a table without rows says that its row is made up, and shows it', async () => {
  let sample: object | null = { Title: 'Text' };
  show([plan], () => ({ is_met: true, sample, steps: [] }));
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const begin = () => userEvent.click(screen.getByRole('button', { name: 'Show what it would do' }));
  await begin();
  const row = await screen.findByRole('region', { name: 'The made-up row' });
  expect(within(row).getByText('Title')).toBeTruthy();
  expect(screen.getByText(/The table has no row yet that you may see/)).toBeTruthy();
  sample = null;
  await begin();
  await screen.findByRole('list', { name: 'What it would do' });
  expect(screen.queryByText(/The table has no row yet/)).toBeNull();
});

test('what was wrong with a step goes with the step, and hides nothing that is wrong since', async () => {
  show([plan], () => {
    throw new ApiError(400, "'call' needs: Address.", 'AUTOMATION_INPUT', { step: 'call', input: 'Address' });
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Plan/ }));
  const step = await screen.findByRole('region', { name: '1. Call a URL' });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await within(step).findByText("'call' needs: Address.");
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Please give the automation a name.');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Plan');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await within(step).findByText("'call' needs: Address.");
  await userEvent.click(within(step).getByRole('button', { name: 'Remove the step' }));
  expect(screen.queryByText(/please see the part that is marked|needs: Address/)).toBeNull();
});

test('what the server refuses is told, and nothing that was typed is lost', async () => {
  const sent = show([], () => {
    throw new ApiError(400, 'The step has no address.');
  });
  await userEvent.click(await screen.findByRole('button', { name: 'New automation' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Tell');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Table' }), 'Requests');
  await userEvent.click(screen.getByRole('button', { name: 'Add a step' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Call a URL' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('The step has no address.');
  expect(sent[0]?.body).toMatchObject({
    title: 'Tell',
    trigger: { type: 'row.added', settings: { table: 'md_r' } },
    steps: [{ type: 'address.call' }],
  });
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Tell');
});

test('conditions go with the rows that they were about, and stay where rows of the same table start it', async () => {
  const condition = { fk_column_id: 'cl_t', comparison_op: 'eq', value: 'Chair' };
  const refuse = () => {
    throw new ApiError(400, 'Not yet.');
  };
  const sent = show([{ ...plan, conditions: [condition] }], refuse, { automationInputParts: [] });
  const choose = (label: string) =>
    userEvent.selectOptions(screen.getByRole('combobox', { name: 'What happens' }), label);
  await userEvent.click(await screen.findByText('Plan'));
  await screen.findByText('Only for rows that meet conditions');
  await choose('A form is asked');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent.at(-1)?.body).toMatchObject({ conditions: [{ fk_column_id: 'cl_t' }] });
  await choose('Something is called');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent.at(-1)?.body).toMatchObject({ conditions: [] });
});

test('what somebody else saved meanwhile is not overwritten unasked', async () => {
  const user = userEvent.setup();
  const sent = show([{ ...plan, revision: '3' }], ({ body }) => {
    if ((body as { replaces?: string }).replaces !== '4')
      throw new ApiError(409, 'Somebody else changed it.', 'CHANGED_MEANWHILE', { revision: '4' });
    return plan;
  });
  await user.click(await screen.findByText('Plan'));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' B');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Save mine' }));
  await screen.findByRole('button', { name: 'New automation' });
  expect(sent.map(({ body }) => body)).toMatchObject([
    { title: 'Plan B', replaces: '3' },
    { title: 'Plan B', replaces: '4' },
  ]);
});

test('what a part of another plugin sets late is put beside what was typed meanwhile, and not into another trigger', async () => {
  const later: (() => void)[] = [];
  const Component = ({ value, onChange }: AutomationInputProps) => (
    <button type="button" onClick={() => later.push(() => onChange('s3cret'))}>
      {`Secret ${value}`}
    </button>
  );
  const answers = () => {
    throw new ApiError(400, 'Not now.');
  };
  const sent = show([], answers, { automationInputParts: [{ id: 'late.secret', Component }] });
  await userEvent.click(await screen.findByRole('button', { name: 'New automation' }));
  const what = await screen.findByRole('combobox', { name: 'What happens' });
  await userEvent.selectOptions(what, 'Something is called');
  await userEvent.click(await screen.findByRole('button', { name: /^Secret/ }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Why' }), 'so');
  act(() => later.pop()?.());
  expect(screen.getByRole('button', { name: 'Secret s3cret' })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Why' })).toHaveProperty('value', 'so');
  await userEvent.click(screen.getByRole('button', { name: 'Secret s3cret' }));
  await userEvent.selectOptions(what, 'A row is added');
  act(() => later.pop()?.());
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Tell');
  await userEvent.click(screen.getByRole('button', { name: 'Add a step' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Call a URL' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Not now.');
  expect(sent[0]?.body).toMatchObject({ trigger: { type: 'row.added' } });
});
