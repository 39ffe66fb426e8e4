import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, type CellAction, type WebPluginContext } from '@trellis/sdk/web';
import { CardMenu } from '@trellis/sdk/web/cards';
import { aColumn, aProject, aTable, aView, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import type { HookEntity } from '../shared/index.ts';
import webhooks from './index.tsx';

afterEach(cleanup);

const table = aTable([aColumn('cl_name', 'Name', { pv: true })]);
const hookOf = (id: string, more: Partial<HookEntity> = {}) =>
  ({ id, title: id, operation: 'insert', active: true, paused: null, ...more }) as HookEntity;
const commands = { open: undefined, duplicate: undefined, delete: undefined, add: undefined } as never;

/** What the plugin adds to the page. */
async function added() {
  const items: { readonly registry: string; readonly item: unknown }[] = [];
  const ctx = {
    messages: () => undefined,
    register: (registry: string, item: unknown) => items.push({ registry, item }),
  };
  await webhooks.setup(ctx as unknown as WebPluginContext);
  const of = (registry: string) => items.flatMap((one) => (one.registry === registry ? [one.item] : []));
  const overlays = of('shellItems') as readonly { id: string; Component: ComponentType<object> }[];
  const overlay = overlays.find(({ id }) => id === 'webhooks.run');
  if (overlay === undefined) throw new Error('The plugin draws nothing over the page.');
  return { actions: of('cellActions') as readonly CellAction[], Overlay: overlay.Component };
}

/** The menu of a row, and what the plugin draws over the page. */
async function openMenu({
  hooks,
  permissions = ['hookList', 'hookTest'],
  refuse,
}: {
  readonly hooks: readonly HookEntity[];
  readonly permissions?: readonly string[];
  readonly refuse?: () => void;
}) {
  const { actions, Overlay } = await added();
  const project = aProject({ permissions });
  const menu = { row: { key: '7', values: { cl_name: 'Chair' } }, x: 1, y: 1 };
  const memory = renderWithHost(
    <>
      <CardMenu
        project={project}
        table={table}
        view={aView()}
        readOnly={false}
        menu={menu}
        meant={['7']}
        commands={commands}
        onClose={() => undefined}
      />
      <Overlay />
    </>,
    {
      project,
      registries: { cellActions: actions },
      api({ method, path }) {
        if (method === 'GET' && path === `/api/v1/db/meta/tables/${table.id}/hooks`) return { list: hooks };
        if (method === 'POST') {
          refuse?.();
          return { count: 1 };
        }
        throw new ApiError(404, `The test has no answer for '${method} ${path}'.`);
      },
    },
  );
  const user = userEvent.setup();
  return { ...memory, user, sent: () => memory.requests.filter(({ method }) => method === 'POST') };
}

const item = () => screen.findByRole('menuitem', { name: 'Send to a webhook…' });
const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Send the row to a webhook' }));

describe('“Send to a webhook…” in the menu of a row', () => {
  test('sends the row by the webhook that was picked, and says where to see what became of it', async () => {
    const { user, sent, toasts } = await openMenu({
      hooks: [
        hookOf('hk_1', { title: 'Tell' }),
        hookOf('hk_2', { title: 'Paused', operation: 'update', paused: 'The receiver is away.' }),
        hookOf('hk_3', { title: 'Off', active: false }),
        hookOf('hk_4', { title: 'Of deleted rows', operation: 'delete' }),
      ],
    });
    await user.click(await item());
    const dialog = await dialogOf();
    await dialog.findByText('Tell');
    expect(dialog.queryByText('Off')).toBeNull();
    expect(dialog.queryByText('Of deleted rows')).toBeNull();
    expect(dialog.getByRole('button', { name: 'Send to Paused' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('button', { name: 'Send to Tell' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toMatchObject([{ path: '/api/v1/db/meta/hooks/hk_1/run', body: { rows: ['7'] } }]);
    expect(toasts).toMatchObject([
      { severity: 'success', summary: 'Tell tells of the row', detail: 'Its log says what became of it.' },
    ]);
  });

  test('keeps the dialog open with the reason where the webhook refuses', async () => {
    const { user, toasts } = await openMenu({
      hooks: [hookOf('hk_1', { title: 'Tell' })],
      refuse() {
        throw new ApiError(404, 'There is no such row.', 'HOOK_ROW', {});
      },
    });
    await user.click(await item());
    const dialog = await dialogOf();
    await user.click(await dialog.findByRole('button', { name: 'Send to Tell' }));
    expect(await dialog.findByText('There is no such row.')).toBeTruthy();
    expect(toasts).toEqual([]);
  });

  test('says that there is no webhook for it', async () => {
    const { user } = await openMenu({ hooks: [hookOf('hk_1', { active: false })] });
    await user.click(await item());
    expect(await (await dialogOf()).findByText('No webhook to send it to')).toBeTruthy();
  });

  test('is not offered to whoever may not send by webhooks', async () => {
    await openMenu({ hooks: [], permissions: ['hookList'] });
    expect(screen.queryByRole('menuitem', { name: 'Send to a webhook…' })).toBeNull();
  });
});
