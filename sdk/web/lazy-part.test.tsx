import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { lazyPart, loadPart } from './index.ts';

afterEach(cleanup);

function Greeting({ name }: { readonly name: string }) {
  return <p>Hello {name}</p>;
}
const module = { default: Greeting };

describe('a lazy part', () => {
  test('shows the fallback until its code has come', async () => {
    const Part = lazyPart(() => Promise.resolve(module));
    render(
      <Suspense fallback="Wait">
        <Part name="Ada" />
      </Suspense>,
    );
    expect(screen.getByText('Wait')).toBeTruthy();
    expect(await screen.findByText('Hello Ada')).toBeTruthy();
  });

  test('is there at once when its code was fetched before', async () => {
    const load = jest.fn(() => Promise.resolve(module));
    const Part = lazyPart(load);
    await loadPart(Part);
    render(
      <Suspense fallback="Wait">
        <Part name="Ada" />
      </Suspense>,
    );
    expect(screen.queryByText('Wait')).toBeNull();
    expect(screen.getByText('Hello Ada')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('is asked for again after its code could not be had', async () => {
    const load = jest.fn<() => Promise<typeof module>>();
    load.mockRejectedValueOnce(new Error('offline')).mockResolvedValue(module);
    const Part = lazyPart(load);
    await loadPart(Part);
    render(
      <Suspense fallback="Wait">
        <Part name="Ada" />
      </Suspense>,
    );
    expect(await screen.findByText('Hello Ada')).toBeTruthy();
  });
});
