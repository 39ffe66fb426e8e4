import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import type { ViewSettingsProps, WebViewType } from '@trellis/sdk/web';
import { OwnLookContext, useNewOwnLook, useShownViewOptions } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ViewSettingsButton } from './ViewSettingsButton.tsx';

const table = aTable([aColumn('cl_name', 'Name')]);
const view = {
  id: 'vw_1',
  fk_model_id: table.id,
  view_type: 'list',
  meta: { height: 'short', by: 'Name' },
} as unknown as ViewEntity;

function Panel({ settings, onChange }: ViewSettingsProps) {
  return (
    <>
      <button type="button" onClick={() => onChange({ ...settings, height: 'tall' })}>
        Tall
      </button>
      <button type="button" onClick={() => onChange({ ...settings, by: 'Age' })}>
        By age
      </button>
    </>
  );
}

const listView: WebViewType = {
  id: 'list',
  label: 'List',
  icon: 'list',
  View: () => null,
  SettingsPanel: Panel,
  ownOptions: ['height'],
};

function Tab({ view: of, role }: { readonly view: ViewEntity; readonly role: 'owner' | 'viewer' }) {
  const look = useNewOwnLook();
  return (
    <OwnLookContext value={look}>
      <ViewSettingsButton project={aProject({ role })} table={table} view={of} readOnly={false} />
      <Shown {...{ role }} view={of} />
    </OwnLookContext>
  );
}

/** What a view of the type draws by. */
function Shown({ view: of, role }: { readonly view: ViewEntity; readonly role: 'owner' | 'viewer' }) {
  const { height, by } = useShownViewOptions({ project: aProject({ role }), view: of });
  return <output>{`${String(height)} by ${String(by)}`}</output>;
}

async function show(of: ViewEntity, role: 'owner' | 'viewer', type = listView) {
  const user = userEvent.setup();
  const memory = renderWithHost(<Tab view={of} role={role} />, {
    registries: { viewTypes: [type] },
    api: () => of,
  });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  return { ...memory, user, panel: within(screen.getByRole('dialog')) };
}

const shown = () => screen.getByRole('status').textContent;

afterEach(cleanup);

test.each([
  ['of a locked view', { ...view, lock_type: 'locked' } as ViewEntity, 'owner'],
  ['of a view that is not theirs to change', { ...view, lock_type: 'collaborative' } as ViewEntity, 'viewer'],
] as const)(
  'a person sets how rows look %s for themselves alone, and nothing else',
  async (_of, of, role) => {
    const { user, panel, requests } = await show(of, role);
    await user.click(panel.getByRole('button', { name: 'Tall' }));
    expect(shown()).toBe('tall by Name');
    await user.click(panel.getByRole('button', { name: 'By age' }));
    expect(shown()).toBe('tall by Name');
    await user.click(panel.getByRole('button', { name: 'Show it as the view has it' }));
    expect(shown()).toBe('short by Name');
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(false);
  },
);

test('a view keeps what somebody sets who may change it', async () => {
  const { user, panel, requests } = await show(
    { ...view, lock_type: 'collaborative' } as ViewEntity,
    'owner',
  );
  await user.click(panel.getByRole('button', { name: 'Tall' }));
  expect(requests.at(-1)).toMatchObject({ method: 'PATCH', body: { meta: { height: 'tall' } } });
});

test('what is set one after the other is saved in that order, and shown from the start', async () => {
  const answers: (() => void)[] = [];
  const user = userEvent.setup();
  const role = 'owner';
  const { requests } = renderWithHost(<Tab view={view} role={role} />, {
    registries: { viewTypes: [listView] },
    api: () => new Promise<ViewEntity>((resolve) => answers.push(() => resolve(view))),
  });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Tall' }));
  await user.click(screen.getByRole('button', { name: 'By age' }));
  expect(requests).toHaveLength(1);
  await act(async () => answers[0]?.());
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests.map(({ body }) => body)).toEqual([
    { meta: { height: 'tall', by: 'Name' }, meta_before: view.meta },
    { meta: { height: 'tall', by: 'Age' }, meta_before: { height: 'tall', by: 'Name' } },
  ]);
});

test('what is on its way for one view is not saved for the one that is shown next', async () => {
  const user = userEvent.setup();
  const role = 'owner';
  const { requests, rerender } = renderWithHost(<Tab view={view} role={role} />, {
    registries: { viewTypes: [listView] },
    api: () => new Promise<ViewEntity>(() => undefined),
  });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Tall' }));
  rerender(<Tab view={{ ...view, id: 'vw_2' }} role={role} />);
  await user.click(screen.getByRole('button', { name: 'By age' }));
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests[1]).toMatchObject({
    path: '/api/v1/db/meta/views/vw_2',
    body: { meta: { height: 'short', by: 'Age' } },
  });
});

test('a type whose options are for everybody says why they cannot be changed', async () => {
  const plain = { ...listView, ownOptions: undefined } as unknown as WebViewType;
  const { panel } = await show({ ...view, lock_type: 'locked' } as ViewEntity, 'owner', plain);
  expect(panel.getByText(/This view is locked/)).toBeTruthy();
  expect(panel.queryByRole('button', { name: 'Tall' })).toBeNull();
});

test('options that are a form can be read by who may not change them, beside the reason', async () => {
  const form = {
    ...listView,
    SettingsPanel: undefined,
    options: {
      type: 'object',
      properties: {
        by: { type: 'string', title: 'By' },
        isTall: { type: 'boolean', title: 'Tall rows' },
      },
    },
  } as unknown as WebViewType;
  const { panel } = await show({ ...view, lock_type: 'locked' } as ViewEntity, 'owner', form);
  expect(panel.getByText(/This view is locked/)).toBeTruthy();
  expect(await panel.findByLabelText('By')).toMatchObject({ value: 'Name', disabled: true });
  expect(panel.getByRole('switch', { name: 'Tall rows' })).toHaveProperty('disabled', true);
  expect(panel.queryByRole('button', { name: 'Save' })).toBeNull();
});
