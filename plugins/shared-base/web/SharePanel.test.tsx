import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { ApiError, objectsTag } from '@trellis/sdk/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { sharesObjectKind } from '../shared/index.ts';
import { SharePanel } from './SharePanel.tsx';

afterEach(cleanup);

const uuid = '20180998-4a79-4049-b966-b616267981ca';
const project = aProject({ title: 'Atlas' });

function show(share: object, refuses = false) {
  const user = userEvent.setup();
  const memory = renderWithHost(<SharePanel project={project} />, {
    project,
    api: ({ method }) => {
      if (method !== 'GET' && refuses) throw new ApiError(403, 'Not yours', 'FORBIDDEN');
      return share;
    },
  });
  const writes = () => memory.requests.filter(({ method = 'GET' }) => method !== 'GET');
  return { ...memory, user, writes };
}

test('the link of a project is copied, which is told, and opens in a new tab', async () => {
  const { user, toasts } = show({ uuid, roles: 'viewer' });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: /nc\/base/ });
  expect(link.href).toContain(`#/nc/base/${uuid}`);
  expect(link.target).toBe('_blank');
  screen.getByRole('button', { name: 'Open in a new tab' });
  await user.click(screen.getByRole('button', { name: 'Copy the link' }));
  await waitFor(() =>
    expect(toasts).toMatchObject([
      { severity: 'success', summary: 'Copied shareable base url to clipboard!' },
    ]),
  );
  expect(await navigator.clipboard.readText()).toBe(link.href);
});

test('the link is shown as a QR code for cameras', async () => {
  const { user } = show({ uuid, roles: 'viewer' });
  const button = await screen.findByRole('button', { name: 'QR code' });
  expect(screen.queryByRole('img', { name: 'QR code of the link' })).toBeNull();
  await user.click(button);
  await screen.findByRole('img', { name: 'QR code of the link' });
  expect(button.getAttribute('aria-expanded')).toBe('true');
});

test('other sites show a project once its owner lets them, by a code that is copied', async () => {
  const { user, toasts, writes } = show({ uuid, roles: 'editor', embed_sites: ['*'] });
  await user.click(await screen.findByRole('button', { name: 'Show it inside other sites' }));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() =>
    expect(toasts).toMatchObject([{ severity: 'success', summary: 'Copied embeddable html code!' }]),
  );
  const code = await navigator.clipboard.readText();
  expect(code).toContain(`src="${location.origin}/embed/nc/base/${uuid}" title="Atlas"`);
  expect(code).toContain('width="100%" height="700"');
  await user.type(screen.getByLabelText('Only these sites'), 'a.example');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  // What visitors may do stays as it is, whatever this page knows of it.
  await waitFor(() => expect(writes().map(({ body }) => body)).toEqual([{ embed_sites: ['a.example'] }]));
});

test('a project without sites of its own has no code to copy', async () => {
  const { user } = show({ uuid, roles: 'viewer' });
  await user.click(await screen.findByRole('button', { name: 'Show it inside other sites' }));
  expect(screen.getByRole('switch', { name: 'Let other sites show it inside theirs' })).toBeTruthy();
  expect(screen.queryByLabelText('Code for other sites')).toBeNull();
});

test('the link is taken away only after a question: no other way leads back to it', async () => {
  let agrees = false;
  const { questions, requests } = renderWithHost(<SharePanel project={project} />, {
    project,
    confirm: () => agrees,
    api: () => ({ uuid, roles: 'viewer' }),
  });
  const user = userEvent.setup();
  const disable = async () => {
    await user.click(await screen.findByRole('button', { name: 'Who can open the project' }));
    await user.click(screen.getByRole('menuitem', { name: 'Disable shared base' }));
  };
  const writes = () => requests.filter(({ method = 'GET' }) => method !== 'GET');
  await disable();
  await waitFor(() => expect(questions).toHaveLength(1));
  expect(writes()).toEqual([]);
  agrees = true;
  await disable();
  await waitFor(() => expect(writes()).toMatchObject([{ method: 'DELETE' }]));
});

test('a change that is refused is told', async () => {
  const { user, toasts } = show({ uuid, roles: 'viewer' }, true);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'What visitors may do' }), 'editor');
  await waitFor(() =>
    expect(toasts).toMatchObject([
      { severity: 'error', summary: 'The link could not be changed', detail: 'Not yours' },
    ]),
  );
});

test('the link stays in sight where it cannot be read again', async () => {
  let isAway = false;
  const { host } = renderWithHost(<SharePanel project={project} />, {
    project,
    api: () => {
      if (isAway) throw new ApiError(403, 'Away');
      return { uuid, roles: 'viewer' };
    },
  });
  await screen.findByRole('link', { name: /nc\/base/ });
  isAway = true;
  act(() => host.invalidate([objectsTag(sharesObjectKind, project.id)]));
  expect((await screen.findByRole('alert')).textContent).toContain('Away');
  expect(screen.getByRole('link', { name: /nc\/base/ })).toBeTruthy();
});
