import type { Locator, Page } from 'playwright-core';

interface Entity {
  readonly id: string;
}
interface Table extends Entity {
  readonly columns: readonly (Entity & { readonly title: string })[];
}

/** A change of a plugin's object other than rows and views, and where a page shows it. */
export interface ObjectChange {
  readonly name: string;
  /** Opens the place that shows it. */
  open(page: Page): Promise<void>;
  /** Makes the change; each turn, from 0, makes another one. */
  change(turn: number): Promise<unknown>;
  /** The element that shows it. */
  shown(page: Page, turn: number): Locator;
}

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

const meta = '/api/v1/db/meta';

/**
 * Creates a project with a table, a board and a form.
 *
 * @param call calls the server as the project's owner
 * @returns the kinds of changes that people make in it
 */
export async function objectChanges(url: string, call: Call): Promise<readonly ObjectChange[]> {
  const { id: projectId } = await call<Entity>('POST', `${meta}/projects`, { title: 'Desk' });
  const project = `${meta}/projects/${projectId}`;
  const table = await call<Table>('POST', `${project}/tables`, {
    title: 'Tasks',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Size', uidt: 'SingleSelect', colOptions: { options: [{ title: 'Small' }] } },
      { title: 'State', uidt: 'SingleSelect', colOptions: { options: [{ title: 'Open' }] } },
    ],
  });
  const rows = `/api/v1/db/data/noco/${projectId}/${table.id}`;
  for (const Name of ['Paint', 'Sweep']) await call('POST', rows, { Name });
  const columnOf = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';
  const ofTable = `${meta}/tables/${table.id}`;
  const board = await call<Entity>('POST', `${ofTable}/kanbans`, {
    title: 'Board',
    fk_grp_col_id: columnOf('Size'),
  });
  const form = await call<Entity>('POST', `${ofTable}/forms`, { title: 'Ask' });

  const ofTab = `${url}/#/nc/${projectId}?name=Tasks&dbalias=${table.id}&type=table`;
  /** Reloads the page: an open panel would cover what follows. */
  async function load(page: Page, address: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(address);
  }
  /** Opens a tab from the project's menu. */
  const tab = (name: string) => async (page: Page) => {
    await load(page, ofTab);
    await page.getByRole('button', { name: 'Menu of Desk' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const view = (of: Entity) => async (page: Page) => {
    await load(page, `${ofTab}&view=${of.id}`);
  };
  const text =
    (of: (turn: number) => string): ObjectChange['shown'] =>
    (page, turn) =>
      page.getByText(of(turn), { exact: true }).first();

  return [
    {
      name: 'comment written',
      open: async (page) => {
        await load(page, `${ofTab}&row=1&pane=comments`);
      },
      change: (turn) =>
        call('POST', `${meta}/audits/comments`, {
          fk_model_id: table.id,
          row_id: '1',
          description: `Remark ${turn}`,
        }),
      shown: text((turn) => `Remark ${turn}`),
    },
    {
      name: 'comment counted',
      open: (page) => load(page, `${ofTab}&row=2`),
      change: (turn) =>
        call('POST', `${meta}/audits/comments`, {
          fk_model_id: table.id,
          row_id: '2',
          description: `Question ${turn}`,
        }),
      shown: (page, turn) => page.getByRole('button', { name: `Comments ${turn + 1}`, exact: true }),
    },
    {
      name: 'line of the history',
      open: (page) => load(page, `${ofTab}&row=2&pane=history`),
      change: (turn) => call('PATCH', `${rows}/2`, { Name: `Sweep ${turn}` }),
      shown: (page, turn) => page.getByRole('insertion').getByText(`Sweep ${turn}`).first(),
    },
    {
      name: 'board stacked otherwise',
      open: view(board),
      change: (turn) =>
        call('PATCH', `${meta}/kanbans/${board.id}`, {
          fk_grp_col_id: columnOf(turn % 2 === 0 ? 'State' : 'Size'),
        }),
      shown: (page, turn) =>
        page.getByRole('region', { name: turn % 2 === 0 ? 'Open' : 'Small', exact: true }),
    },
    {
      name: 'form given a heading',
      open: view(form),
      change: (turn) => call('PATCH', `${meta}/forms/${form.id}`, { meta: { heading: `Question ${turn}` } }),
      shown: (page, turn) => page.getByRole('heading', { name: `Question ${turn}`, exact: true }),
    },
    {
      name: 'webhook made',
      async open(page) {
        await load(page, ofTab);
        await page.getByRole('button', { name: 'Webhooks' }).click();
        await page.getByRole('dialog').waitFor();
      },
      change: (turn) =>
        call('POST', `${ofTable}/hooks`, {
          title: `Tell ${turn}`,
          event: 'after',
          operation: 'insert',
          notification: { type: 'URL', payload: { method: 'POST', path: 'https://hooks.example.com/in' } },
        }),
      shown: text((turn) => `Tell ${turn}`),
    },
    {
      name: 'automation made',
      open: tab('Automations'),
      change: (turn) =>
        call('POST', `/api/v1/plugins/automations/projects/${projectId}/automations`, {
          title: `Plan ${turn}`,
          trigger: { type: 'row.added', settings: { table: table.id } },
          steps: [
            {
              id: 'copy',
              name: 'copy',
              type: 'row.create',
              settings: { table: table.id, cells: { [columnOf('Name')]: 'Again' } },
            },
          ],
        }),
      shown: text((turn) => `Plan ${turn}`),
    },
    {
      name: 'schedule made',
      open: tab('Crons'),
      change: (turn) =>
        call('POST', `/api/v1/plugins/schedules/projects/${projectId}/schedules`, {
          title: `Backup ${turn}`,
          action: 'schedules.backup',
          cron: '0 0 1 1 *',
          time_zone: 'UTC',
        }),
      shown: text((turn) => `Backup ${turn}`),
    },
    {
      name: 'person invited',
      open: tab('Team & Auth'),
      change: (turn) => call('POST', `${project}/users`, { email: `p${turn}@example.com`, roles: 'viewer' }),
      shown: text((turn) => `p${turn}@example.com`),
    },
    {
      name: 'custom role made',
      async open(page) {
        await tab('Team & Auth')(page);
        await page.getByRole('tab', { name: 'Roles' }).click();
      },
      change: (turn) =>
        call('POST', `/api/v1/plugins/sys-members/projects/${projectId}/roles`, {
          title: `Guests ${turn}`,
          base: 'viewer',
        }),
      shown: text((turn) => `Guests ${turn}`),
    },
    {
      name: 'role offered to preview',
      async open(page) {
        await load(page, ofTab);
        await page.getByRole('button', { name: 'Preview as' }).click();
      },
      change: (turn) =>
        call('POST', `/api/v1/plugins/sys-members/projects/${projectId}/roles`, {
          title: `Interns ${turn}`,
          base: 'viewer',
        }),
      shown: (page, turn) => page.getByRole('menuitem', { name: `Preview as Interns ${turn}` }),
    },
    {
      name: 'row rule made',
      open: tab('Row rules'),
      change: (turn) =>
        call('PUT', `/api/v1/plugins/row-rules/projects/${projectId}/rules/${table.id}/viewer`, {
          filters: Array.from({ length: turn + 2 }, () => ({
            kind: 'condition',
            columnId: columnOf('Name'),
            operator: 'eq',
            value: 'Ada',
          })),
        }),
      shown: (page, turn) => page.getByText(`rows that meet ${turn + 2} conditions`),
    },
    {
      name: 'view hidden from a role',
      open: tab('ACL'),
      change: (turn) =>
        call('POST', `${project}/visibility-rules`, [{ id: board.id, disabled: { viewer: turn % 2 === 0 } }]),
      shown: (page, turn) =>
        page.getByRole('checkbox', {
          name: 'List Board of Tasks for the role viewer',
          checked: turn % 2 !== 0,
        }),
    },
    {
      name: 'project opened',
      async open(page) {
        await load(page, ofTab);
        await page.getByRole('button', { name: 'Shared base' }).click();
      },
      change: (turn) => call('PATCH', `${project}/shared`, { roles: turn % 2 === 0 ? 'viewer' : 'editor' }),
      shown: text((turn) => `Anyone on the internet with this link can ${turn % 2 === 0 ? 'view' : 'edit'}`),
    },
    {
      name: 'table deleted',
      open: tab('Trash'),
      async change(turn) {
        const { id } = await call<Entity>('POST', `${project}/tables`, { title: `Old ${turn}`, columns: [] });
        await call('DELETE', `${meta}/tables/${id}`);
      },
      shown: (page, turn) => page.getByRole('dialog').getByText(`Old ${turn}`).first(),
    },
    {
      name: 'row deleted',
      open: tab('Trash'),
      async change(turn) {
        const { Id } = await call<{ readonly Id: number }>('POST', rows, { Name: `Waste ${turn}` });
        await call('DELETE', `${rows}/${Id}`);
      },
      shown: (page, turn) => page.getByRole('dialog').getByText(`Waste ${turn}`).first(),
    },
    {
      name: 'variable kept',
      open: tab('Variables'),
      change: (turn) =>
        call('POST', `/api/v1/plugins/variables/projects/${projectId}/variables`, {
          name: `KEY_${turn}`,
          value: 'x',
        }),
      shown: text((turn) => `KEY_${turn}`),
    },
    {
      name: 'token made',
      open: tab('API tokens'),
      change: (turn) => call('POST', `${project}/api-tokens`, { description: `Import ${turn}` }),
      shown: text((turn) => `Import ${turn}`),
    },
    {
      name: 'view shared',
      open: tab('Shared views'),
      async change(turn) {
        const look = await call<Entity>('POST', `${ofTable}/grids`, { title: `Look ${turn}` });
        await call('POST', `${meta}/views/${look.id}/share`, {});
      },
      shown: (page, turn) => page.getByRole('main').getByText(`Look ${turn}`).first(),
    },
    {
      name: 'line of the audit',
      open: tab('Audit'),
      change: (turn) => call('POST', `${project}/tables`, { title: `Extra ${turn}`, columns: [] }),
      shown: text((turn) => `Table Extra ${turn} was created`),
    },
  ];
}
