import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
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
