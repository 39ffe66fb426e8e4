import { existsSync, readFileSync } from 'node:fs';

/** What a file may take on a machine that has much else to do. Minutes. */
const perFile = 20;
/** What Jest may take after its last result, to take away what the files shared. Minutes. */
const afterLast = 5;

/**
 * Ends a run that does not go on, and says why: a file that never ends, since `testTimeout` ends a test and neither a loop nor what a
 * file waits for before its tests, or a Jest that stays after its last result.
 */
export default class EndHungRun {
  #running = new Map();
  #limits;

  /** @param limits of tests of this */
  constructor(_, limits = {}) {
    this.#limits = { perFile, afterLast, ...limits };
  }

  onTestFileStart({ path }) {
    const minutes = this.#limits.perFile;
    const hang = () => this.#end(`${path} runs for ${minutes} minutes and does not end.`);
    // Nothing waits for the timer: a Jest that can end does.
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
