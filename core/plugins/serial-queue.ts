/** Runs one task at a time, in the order of the calls. A failing task does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** A task must not wait for another task of the same queue, which would wait for it in turn. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined); // The caller has `result` and sees the error there.
    return result;
  }
}
