/**
 * Preloaded into a server (`--import`): between the messages `start` and `stop` it counts which functions run in the main thread, how
 * often, and how many messages go to other threads.
 */
import { Session } from 'node:inspector/promises';
import { Worker } from 'node:worker_threads';

const session = new Session();
session.connect();
await session.post('Profiler.enable');

let messages = 0;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...args) {
  messages += 1;
  return postMessage.apply(this, args);
};

async function answer(message) {
  if (message === 'start') {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // What ran before is left out.
    await session.post('Profiler.takePreciseCoverage');
    messages = 0;
    process.send?.('started');
  }
  if (message === 'stop') {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    process.send?.({ scripts: result, messages });
    await session.post('Profiler.stopPreciseCoverage');
  }
}

process.on('message', (message) => void answer(message));
process.channel?.unref();
