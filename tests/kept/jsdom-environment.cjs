const JsdomEnvironment = require('../../sdk/testing/jest/jsdom-environment.cjs');
const keptEnvironment = require('./kept-environment.cjs');

/** One window for all files in a page that a worker runs. Each finds an empty document at its first address, and empty storages. */
class KeptJsdomEnvironment extends keptEnvironment(JsdomEnvironment) {
  constructor(config, context) {
    // What jsdom reports belongs to the file that runs, and not to the one for which the window was made.
    const report = (...args) => this.console.error(...args);
    super(config, { ...context, console: { error: report } });
    this.console = context.console;
  }

  begin() {
    if (this.timers !== undefined) return;
    const { global } = this;
    this.timers = [];
    for (const name of ['setTimeout', 'setInterval']) {
      const start = global[name];
      global[name] = (handler, delay, ...args) => {
        const timer = start(handler, delay, ...args);
        if (delay > 0) this.timers.push(timer);
        return timer;
      };
    }
    this.frame = global.requestAnimationFrame(() => undefined);
  }

  end() {
    this.endTimers();
    const { document, history, localStorage, sessionStorage } = this.global;
    const { documentElement, head, body } = document;
    head.replaceChildren();
    body.replaceChildren();
    for (const element of [documentElement, body]) {
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    }
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`;
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', '/');
  }

  /** Ends what would go on in the next file. Timers without a delay are React's, which waits for them, and come at once. */
  endTimers() {
    const { global, timers } = this;
    for (const timer of timers.splice(0)) global.clearTimeout(timer);
    const last = global.requestAnimationFrame(() => undefined);
    while (this.frame < last) global.cancelAnimationFrame((this.frame += 1));
  }
}

module.exports = KeptJsdomEnvironment;
