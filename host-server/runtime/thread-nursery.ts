import { Worker } from 'node:worker_threads';
import { boundHeap } from './bounded-heap.ts';

/** Run by the test of the bounded heap in its own process: prints the size in megabytes to which a thread's nursery grows. */
const thread = `
  const { parentPort } = require('node:worker_threads');
  const { getHeapSpaceStatistics } = require('node:v8');
  const kept = [];
  let most = 0;
  for (let round = 0; round < 200; round += 1) {
    for (let index = 0; index < 2000; index += 1) kept[index] = { text: String(round * index), list: [index, round] };
    const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    most = Math.max(most, nursery.space_size);
  }
  parentPort.postMessage(most / 2 ** 20);
`;

boundHeap();
const worker = new Worker(thread, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 3 } });
worker.once('message', (megabytes) => process.stdout.write(`${String(megabytes)}\n`));
