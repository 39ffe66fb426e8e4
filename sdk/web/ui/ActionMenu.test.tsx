import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '../../testing/web.tsx';
import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { ActionMenu } from './index.ts';

afterEach(cleanup);

function show(header?: ReactNode): () => readonly string[] {
  const action = { icon: 'pencil', startsGroup: true, run: () => undefined };
  const actions = [
    { ...action, id: 'team', label: 'Team' },
    { ...action, id: 'log', label: 'Log', startsGroup: false },
    { ...action, id: 'trash', label: 'Trash' },
  ];
  renderWithHost(
    <ActionMenu label="Menu" header={header} actions={actions} x={0} y={0} onClose={() => undefined} />,
  );
  return () =>
    screen
      .getAllByRole('menuitem')
      .filter(({ className }) => className.includes('starts-group'))
      .map(({ textContent }) => textContent);
}

test('a line stands between groups, and none over the first entry of a menu', () => {
  expect(show()()).toEqual(['Trash']);
});

test('under a head the first entry begins a group, too', () => {
  expect(show(<strong>Ada</strong>)()).toEqual(['Team', 'Trash']);
});
