import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  readonly port: number;
  /** Milliseconds from the process's start until it listened. */
  readonly startedIn: number;
  /** Resident memory in megabytes. */
  memory(): Promise<number>;
  /** Processor seconds of its threads so far. */
  computed(): Promise<number>;
  /** Asks `profiler.mjs`, if the server was started with it. */
  ask(message: 'start' | 'stop'): Promise<unknown>;
  stop(): Promise<void>;
}

/** The unit of Linux's process times. */
const ticksPerSecond = 100;

/** Processor seconds of a local process so far; 0 if it does not exist. */
export async function secondsComputed(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return 0;
  // The program's name, in brackets, may contain anything; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Starts a server of this repository and waits until it reports its address. */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, command, {
    // As `npm start` sets it.
    env: { MALLOC_ARENA_MAX: '1', ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  const said: string[] = [];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The server was started without its output');
  stderr.on('data', (text: Buffer) => said.push(String(text)));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      said.push(line);
      const [, listening] = /listens on http:\/\/[^:]+:(\d+)/.exec(line) ?? [];
      if (listening !== undefined) resolve(Number(listening));
    });
    child.once('exit', () => reject(new Error(`${command.join(' ')} ended:\n${said.join('\n')}`)));
  });
  const startedIn = performance.now() - start;
  return {
    port,
    startedIn,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    },
    computed: () => secondsComputed(child.pid ?? 0),
    async ask(message) {
      const answered = once(child, 'message');
      child.send(message);
      const [answer] = (await answered) as [unknown];
      return answer;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
