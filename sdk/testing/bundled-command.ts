import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = process.cwd();

/** This repository's `trellis-plugin`, bundled once for many calls in separate processes. */
export class BundledCommand {
  #bundle: string | undefined;

  run(
    args: readonly string[],
    env = process.env,
  ): { readonly status: number | null; readonly output: string } {
    this.#bundle ??= bundle('sdk/build/command/trellis-plugin.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.#bundle, ...args], {
      encoding: 'utf8',
      env,
    });
    return { status, output: stdout + stderr };
  }

  dispose(): void {
    if (this.#bundle !== undefined) rmSync(dirname(this.#bundle), { recursive: true, force: true });
    this.#bundle = undefined;
  }
}

/** Runs in a separate process, because a native bundler does not work inside Jest's sandbox. */
function bundle(file: string): string {
  const command = [join(root, 'tests/run-typescript.mjs'), '--bundle', join(root, file)];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} could not be bundled:\n${stderr}`);
  return stdout;
}
