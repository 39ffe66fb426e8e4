import { afterEach, expect, jest, test } from '@jest/globals';
import { createWebLogger } from './web-logger.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each(['debug', 'info', 'warn'] as const)(
  "What a plugin logs as %s stands in the browser's console under its id",
  (level) => {
    const written = jest.spyOn(console, level).mockImplementation(() => undefined);
    const reported = jest.fn();
    const logger = createWebLogger('acme-deals', reported);
    logger[level]('a deal is won', { stage: 'Won' });
    logger[level]('and that is all');
    expect(written.mock.calls).toEqual([
      ['[acme-deals] a deal is won', { stage: 'Won' }],
      ['[acme-deals] and that is all', {}],
    ]);
    expect(reported).not.toHaveBeenCalled();
  },
);

test('What a plugin logs as an error is attributed to it', () => {
  const reported = jest.fn<Parameters<typeof createWebLogger>[1]>();
  createWebLogger('acme-deals', reported).error('no stage is left');
  expect(reported.mock.calls).toEqual([['acme-deals', 'log', new Error('no stage is left')]]);
});
