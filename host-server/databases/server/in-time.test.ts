import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { inTime } from './in-time.ts';

/** Answers at once, from a thread of its own. */
const server = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', () => parentPort.postMessage('answer'));
`;

test('an answer that came while this process stood still is not late', async () => {
  const worker = new Worker(server, { eval: true });
  await once(worker, 'online');
  const answer = inTime(once(worker, 'message'), 200);
  worker.postMessage('question');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  expect(await answer).toEqual(['answer']);
  await worker.terminate();
});

test('an answer that does not come is given up', async () => {
  await expect(inTime(new Promise(() => {}), 20)).rejects.toMatchObject({
    kind: 'unreachable',
  });
});
