import { resolve } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import HoursSlider from './HoursSlider.tsx';

describeWebPlugin(resolve(import.meta.dirname, '..'));
afterEach(cleanup);

test("the slider of 'automationInputParts' says the hours in words, and changes the draft", () => {
  const changed = jest.fn<(value: string) => void>();
  renderWithHost(<HoursSlider project={aProject()} label="Hours at most" value="6" onChange={changed} />);
  const slider = screen.getByLabelText<HTMLInputElement>('Hours at most');
  expect([slider.value, slider.getAttribute('aria-valuetext')]).toEqual(['6', '6 hours']);
  fireEvent.change(slider, { target: { value: '12' } });
  expect(changed.mock.calls).toEqual([['12']]);
});
