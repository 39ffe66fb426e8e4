import { writeFileSync, writeSync } from 'node:fs';
import { Session, type Debugger } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { busyFrame } from './busy-frame.ts';
import { MemoryWatch, type FullMemory } from './memory-watch.ts';
import { exitCode, measureRequest, type WatchdogData } from './watchdog-data.ts';

/*
 * Looks from a thread of its own whether the main thread still turns, and how much memory it has left. When it has not turned for the
 * limit, it stops the main thread with the debugger to see whose code runs there, leaves a note for the next start and ends the process.
 * So it does when a plugin has filled the memory.
 */

/** Milliseconds between checks. */
const tick = 1000;
/** Milliseconds within which the main thread must stop for the debugger: code outside of JavaScript cannot be stopped. */
const patience = 3000;

/** Milliseconds between checks of the memory: a loop fills it in seconds. */
const memoryTick = 200;

const { beats, limitSeconds, heapLimit, noteFile, folders } = workerData as WatchdogData;
const counter = new Int32Array(beats);
let seen = -1;
let missed = 0;

// Counted in checks and not by the clock, so that a machine that slept is not taken for a busy one. The timer stays active, since
// without it this thread would end before the debugger answers.
setInterval(() => {
  const beat = Atomics.load(counter, 0);
  missed = beat === seen ? missed + 1 : 0;
  seen = beat;
  if (missed === limitSeconds) endProcess();
}, tick);

const memory = new MemoryWatch(heapLimit, folders);
const looks = setInterval(() => {
  memory.look().then(
    (full) => {
      if (full !== undefined) endFull(full);
    },
    (error: unknown) => {
      clearInterval(looks);
      say(`The watchdog no longer looks at the memory: ${String(error)}`);
    },
  );
}, memoryTick);

parentPort?.on('message', (request) => {
  if (request !== measureRequest) return;
  memory.measure().then(
    (held) => parentPort?.postMessage(held),
    (error: unknown) => {
      say(`The watchdog cannot measure the memory of plugins: ${String(error)}`);
      parentPort?.postMessage(undefined);
    },
  );
});

function endFull({ plugin, used, limit }: FullMemory): void {
  clearInterval(looks);
  const amount = `${inMegabytes(used)} of ${inMegabytes(limit)} MB`;
  const reason = `It filled the memory of the whole server (${amount}), so the server was ended; enable it to try again.`;
  writeFileSync(noteFile, JSON.stringify({ plugin, reason }));
  say(
    `The plugin '${plugin}' has filled the memory of the server (${amount}); the server ends and starts without it.`,
  );
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), patience);
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${exitCode})` });
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function endProcess(): void {
  const giveUp = setTimeout(() => {
    say('The server has stood still and cannot be asked why; it ends.');
    process.kill(process.pid, 'SIGKILL');
  }, patience);
  const session = new Session();
  session.connectToMainThread();
  // A call frame may lack the URL of its script.
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    if (Atomics.load(counter, 0) !== seen) {
      // The main thread continued by itself before the limit.
      clearTimeout(giveUp);
      session.post('Debugger.resume', () => session.disconnect());
      return;
    }
    try {
      leaveNote(
        params.callFrames.map((frame) => ({
          ...frame,
          url: frame.url || (scripts.get(frame.location.scriptId) ?? ''),
        })),
      );
    } finally {
      session.post('Runtime.evaluate', { expression: `process.reallyExit(${exitCode})` });
    }
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function leaveNote(frames: readonly Debugger.CallFrame[]): void {
  const busy = busyFrame(frames, folders);
  const where = busy === undefined ? '' : ` in ${busy.place}`;
  if (busy?.plugin === undefined) {
    say(`The server has stood still for ${limitSeconds} s${where}; it ends.`);
    return;
  }
  const reason = `It kept the whole server busy for ${limitSeconds} s${where}, so the server was ended; enable it to try again.`;
  writeFileSync(noteFile, JSON.stringify({ plugin: busy.plugin, reason }));
  say(
    `The plugin '${busy.plugin}' has kept the server busy for ${limitSeconds} s${where}; the server ends and starts without it.`,
  );
}

/** Writes to standard error directly: `process.stderr` of a worker goes through the main thread, which hangs. */
function say(text: string): void {
  writeSync(2, `${text}\n`);
}
