import { existsSync, readFileSync } from 'node:fs';

/** Maximum minutes of a file on a machine with much other load. */
const perFile = 20;
/** Maximum minutes of Jest after its last result, for removing what the files shared. */
const afterLast = 5;

/**
 * Ends a run that hangs, and says why: a file that never ends (`testTimeout` ends a test, but neither a loop nor a wait before the
 * tests), or a Jest that does not exit after its last result.
 */
export default class EndHungRun {
  #running = new Map();
  #limits;

  /** @param limits for tests of this reporter */
  constructor(_, limits = {}) {
    this.#limits = { perFile, afterLast, ...limits };
  }

  onTestFileStart({ path }) {
    const minutes = this.#limits.perFile;
    const hang = () => this.#end(`${path} runs for ${minutes} minutes and does not end.`);
    // The timer does not keep Jest running.
    this.#running.set(path, setTimeout(hang, minutes * 60_000).unref());
  }

  onTestFileResult({ path }) {
    clearTimeout(this.#running.get(path));
  }

  onRunComplete() {
    for (const timer of this.#running.values()) clearTimeout(timer);
    const minutes = this.#limits.afterLast;
    const hang = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      this.#end(`Jest does not end ${minutes} minutes after its last result. It waits for: ${open}.`);
    };
    setTimeout(hang, minutes * 60_000).unref();
  }

  #end(problem) {
    console.error(`\n${problem} The run is ended.`);
    // A worker in a loop would not notice that Jest is gone.
    const list = `/proc/${process.pid}/task/${process.pid}/children`;
    const children = existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ') : [];
    for (const pid of children.filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
    process.exit(1);
  }
}
