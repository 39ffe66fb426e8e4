/**
 * Preloaded into a server (`--import`): between the messages `start` and `stop` it counts the functions that run in the main
 * thread, their calls, and the messages to other threads.
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
    // Earlier calls are dropped.
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
