import { afterEach, expect, test } from '@jest/globals';
import { aColumn, aProject, aTable, aView, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SharePanel } from './SharePanel.tsx';

afterEach(cleanup);

test('other sites are given a frame of the page that they may show, with the name of the view', async () => {
  const view = aView({ title: 'Prices & "more"' });
  const link = {
    ...view,
    uuid: 'u_1',
    password: null,
    expires_at: null,
    meta: { embedSites: ['https://a.example'] },
    visits: { total: 0, days: [], last_at: null },
  };
  const project = aProject();
  const { toasts } = renderWithHost(
    <SharePanel
      table={aTable([aColumn('cl_1', 'Name')])}
      view={view}
      sharing={{ visitors: 'read', word: 'gallery' }}
    />,
    { project, api: () => [link] },
  );
  const user = userEvent.setup();
  const code = await screen.findByLabelText<HTMLInputElement>('Code for other sites');
  const address = `${location.origin}/embed/nc/gallery/u_1`;
  expect(code.value).toBe(
    `<iframe src="${address}" title="Prices &#38; &#34;more&#34;" width="100%" height="700" style="border:0"></iframe>`,
  );
  expect(screen.getByLabelText<HTMLTextAreaElement>('Only these sites').value).toBe('https://a.example');
  await user.click(screen.getAllByRole('button', { name: 'Copy' })[1] as HTMLElement);
  await waitFor(() => expect(toasts).toMatchObject([{ summary: 'Copied embeddable html code!' }]));
  expect(await navigator.clipboard.readText()).toBe(code.value);
});
