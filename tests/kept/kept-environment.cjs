/** What Jest keeps on the global object for the one file that it runs. */
const ofRunner =
  /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)$/;

/** What a file may wait at its end for modules that it began to import. Milliseconds. */
const longestImport = 60_000;

function within(work, limit) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/**
 * Makes an environment of Jest's serve all files that a worker runs, one after another, so that modules which were evaluated for one
 * file serve the next one, too (`runtime.cjs`). The globals and the clock are as they were at first when the next file begins. What a
 * file may have left behind in which a test failed, nobody knows: the next one has an environment of its own.
 *
 * A subclass says in `begin` what a file is given, and in `end` what it is rid of.
 */
function keptEnvironment(Environment) {
  let kept;
  return class KeptEnvironment extends Environment {
    isKept = true;

    constructor(config, context) {
      // Jest makes an environment for each file; a constructor may answer with one that is there.
      if (kept !== undefined) {
        kept.begin(context);
        return kept;
      }
      super(config, context);
      this.begin(context);
      this.globals = Object.getOwnPropertyDescriptors(this.global);
      kept = this;
    }

    begin() {}

    end() {}

    /** Jest tells each environment of each test. */
    async handleTestEvent(event) {
      const hasFailed = event.name === 'test_done' ? event.test.errors.length > 0 : event.name === 'error';
      if (hasFailed || event.name === 'hook_failure') this.isKept = false;
      // Jest waits for it, and takes the file down afterwards.
      if (event.name === 'run_finish' && this.isKept) await within(this.imported?.(), longestImport);
    }

    /** Ends a file, and not the environment. */
    async teardown() {
      if (!this.isKept) {
        if (kept === this) kept = undefined;
        await super.teardown();
        return;
      }
      this.fakeTimersModern.useRealTimers();
      for (const key of Reflect.ownKeys(this.globals)) {
        if (this.globals[key].configurable) Object.defineProperty(this.global, key, this.globals[key]);
      }
      for (const key of Object.getOwnPropertySymbols(this.global)) {
        if (ofRunner.test(key.description ?? '')) delete this.global[key];
      }
      this.end();
    }
  };
}

module.exports = keptEnvironment;
