import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen } from '@testing-library/react';
import DatabaseProject from './DatabaseProject.tsx';

afterEach(cleanup);

test('every field that must be filled in is marked, the name of the project too', async () => {
  const settings = {
    type: 'object',
    properties: { host: { type: 'string', title: 'Host' }, schema: { type: 'string', title: 'Schema' } },
    required: ['host'],
  } as const;
  const nothing = () => undefined;
  renderWithHost(<DatabaseProject onDone={nothing} onCancel={nothing} />, {
    api: { 'GET /api/v1/db/meta/base-kinds': { list: [{ id: 'pg', label: 'PostgreSQL', settings }] } },
  });
  await screen.findByLabelText(/^Host/);
  const marked = [...document.querySelectorAll('label')].filter((label) => label.textContent?.endsWith('*'));
  expect(marked.map((label) => label.textContent)).toEqual(['Project name*', 'Host*']);
  expect(screen.getByLabelText(/^Project name/).getAttribute('aria-required')).toBe('true');
});

test('a kind of database is offered once somebody switches on the plugin that brings it', async () => {
  const kindOf = (label: string) => ({ id: label, label, settings: { type: 'object', properties: {} } });
  let list = [kindOf('PostgreSQL'), kindOf('MySQL')];
  const nothing = () => undefined;
  const { receive } = renderWithHost(<DatabaseProject onDone={nothing} onCancel={nothing} />, {
    api: () => ({ list }),
  });
  await screen.findByRole('radio', { name: 'MySQL' });
  list = [...list, kindOf('Oracle')];
  act(() => receive({ kind: 'plugins', generation: 2 }));
  expect(await screen.findByRole('radio', { name: 'Oracle' })).toBeTruthy();
});
