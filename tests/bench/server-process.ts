import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  readonly port: number;
  /** Milliseconds from the start of the process until it listened. */
  readonly startedIn: number;
  /** Resident memory in megabytes. */
  memory(): Promise<number>;
  /** Seconds that its threads have computed so far. */
  computed(): Promise<number>;
  /** Asks `profiler.mjs`, where the server was started with it. */
  ask(message: 'start' | 'stop'): Promise<unknown>;
  stop(): Promise<void>;
}

/** The unit of Linux's process times. */
const ticksPerSecond = 100;

/** Seconds that a process of this machine has computed so far; 0 for one that is not there. */
export async function secondsComputed(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return 0;
  // The name of the program, in brackets, may hold anything; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Starts a server of this repository and waits until it says where it listens. */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, command, {
    // As `npm start` has it.
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
