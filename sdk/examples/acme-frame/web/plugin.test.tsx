import { resolve } from 'node:path';
import { act } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { FramedPage } from './FramedPage.tsx';
import { HeardList } from './heard-list.ts';

describeWebPlugin(resolve(import.meta.dirname, '..'));

test('what is heard while the page stands is listed, the newest first', () => {
  const heard = new HeardList();
  heard.add('session began');
  const { getByLabelText } = renderWithHost(<FramedPage heard={heard} />);
  act(() => heard.add('project opened'));
  expect(getByLabelText('Heard').textContent).toBe('project openedsession began');
});
