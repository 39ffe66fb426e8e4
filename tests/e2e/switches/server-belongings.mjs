/**
 * Preloaded into a server (`--import`): at every SIGUSR2 it writes what the main thread holds, without garbage, to
 * `belongings.json` in its folder.
 */
import { EventEmitter } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { queryObjects } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Handles that come and go at any time, with requests and scheduled work. */
const passing = /^(?:Timeout|Immediate|MessagePort|TCPSocket.*|FSReqCallback|FSReqPromise)$/;
const { constructor: Timer } = setTimeout(() => undefined, 0);

async function collect() {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  // Finalizers of collected objects run now, and release more.
  await new Promise(setImmediate);
}

function countHandles() {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo())
    if (!passing.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function writeDown() {
  for (let round = 0; round < 3; round += 1) await collect();
  const belongings = {
    heap: process.memoryUsage().heapUsed,
    // Includes those that do not keep the process running.
    timers: queryObjects(Timer),
    emitters: queryObjects(EventEmitter),
    signals: queryObjects(AbortSignal),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    handles: countHandles(),
  };
  writeFileSync('belongings.json.part', JSON.stringify(belongings));
  renameSync('belongings.json.part', 'belongings.json');
}

if (isMainThread) process.on('SIGUSR2', () => void writeDown());
