import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { renderWithHost } from '../../testing/web.tsx';
import { TemplateField, type TemplateNaming } from './TemplateField.tsx';

const naming: TemplateNaming = {
  shape: { names: { row: { names: { Title: 'value' } }, env: { names: { KEY: 'value' }, isWhole: false } } },
  offered: [
    { placeholder: '{{row.Title}}', label: 'Title', group: 'The row' },
    { placeholder: '{{env.KEY}}', label: 'KEY', group: 'Variables' },
  ],
};

function Field({ rows }: { readonly rows?: number }) {
  const [value, setValue] = useState('');
  return <TemplateField label="Body" rows={rows} value={value} naming={naming} onChange={setValue} />;
}

afterEach(cleanup);

test('what is offered is put in where the caret stands', async () => {
  renderWithHost(<Field />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Body'), 'Key ');
  await user.click(screen.getByRole('button', { name: 'Put a value into Body' }));
  await user.click(screen.getByRole('option', { name: /KEY/ }));
  expect(screen.getByLabelText('Body')).toHaveProperty('value', 'Key {{env.KEY}}');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the caret goes behind what was put into the middle', async () => {
  renderWithHost(<Field />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Body'), 'Hello , bye');
  screen.getByLabelText<HTMLInputElement>('Body').setSelectionRange(6, 6);
  await user.click(screen.getByRole('button', { name: 'Put a value into Body' }));
  await user.click(screen.getByRole('option', { name: /Title/ }));
  await user.keyboard('!');
  expect(screen.getByLabelText('Body')).toHaveProperty('value', 'Hello {{row.Title}}!, bye');
});

test('what stands for nothing is told with its reason and its line while it is typed', async () => {
  renderWithHost(<Field rows={3} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Body'), 'a\n{{{{row.title}}{{{{row.Title.x}}{{{{env.NO}}');
  expect([...screen.getByRole('status').children].map((line) => line.textContent)).toEqual([
    'Line 2: Nothing stands behind {{row.title}}: “row” has no “title”. Is “Title” meant?',
    'Line 2: Nothing stands behind {{row.Title.x}}: “row.Title” is one value, nothing stands below it.',
    'Line 2: Nothing stands behind {{env.NO}}: there is no variable “NO”.',
  ]);
  expect(screen.getByLabelText('Body').getAttribute('aria-invalid')).toBe('true');
});

test('a placeholder that is not closed is told with its line until it is', async () => {
  renderWithHost(<Field rows={3} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Body'), 'a\n{{{{row.Title}');
  expect(screen.getByRole('status').textContent).toBe(
    'Line 2: The placeholder {{row.Title} is not closed: its closing braces are missing.',
  );
  await user.type(screen.getByLabelText('Body'), '}');
  expect(screen.getByRole('status').textContent).toBe('');
});
