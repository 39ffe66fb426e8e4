import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { renderWithHost } from '../../testing/web.tsx';
import { useDraft } from './use-draft.ts';

afterEach(cleanup);

/** Words on a server that answers when it is told to, and is read again when the test says so. */
function open() {
  const waiting: (() => void)[] = [];

  function Words({ saved }: { readonly saved: readonly string[] }) {
    const draft = useDraft<readonly string[], readonly string[]>({
      saved,
      isSame: (left, right) => left.join() === right.join(),
      request: (value) => ({ method: 'PUT', path: '/words', body: value }),
      read: (answer) => answer,
      theirs: () => undefined,
      merge: (value) => value,
      tags: [],
    });
    const add = (word: string): void => {
      const next = [...draft.shown, word];
      draft.change(next);
      void draft.save(next);
    };
    return (
      <>
        <output>{draft.shown.join(' ')}</output>
        <input aria-label="New word" onChange={({ target }) => add(target.value)} />
      </>
    );
  }

  let known: readonly string[] = [];
  const shown = renderWithHost(<Words saved={known} />, {
    api: ({ body }) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(body));
      }),
  });
  return {
    add: (value: string) => fireEvent.change(screen.getByLabelText('New word'), { target: { value } }),
    /** Lets the oldest change be answered, and the next one be sent. */
    answer: async () => {
      await waitFor(() => expect(waiting).not.toHaveLength(0));
      await act(async () => waiting.shift()?.());
    },
    read: (words: readonly string[]) => {
      known = words;
      shown.rerender(<Words saved={known} />);
    },
    shown: () => screen.getByRole('status').textContent,
  };
}

test('what the page reads late of changes that were followed by others does not come back', async () => {
  const words = open();
  words.add('one');
  words.add('two');
  await words.answer();
  // Read after the first change, and known before the second is answered.
  words.read(['one']);
  await words.answer();
  expect(words.shown()).toBe('one two');
  words.add('three');
  await words.answer();
  // Read before the third change was there, and known after it.
  words.read(['one', 'two']);
  expect(words.shown()).toBe('one two three');
  words.read(['one', 'two', 'three']);
  expect(words.shown()).toBe('one two three');
  // Somebody put it back.
  words.read(['one', 'two']);
  expect(words.shown()).toBe('one two');
  words.read(['theirs']);
  expect(words.shown()).toBe('theirs');
});
