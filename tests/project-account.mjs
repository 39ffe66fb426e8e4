/** Prints the cost of each of Jest's projects: its files, its tests, and the files' seconds, summed over the workers. */
export default class ProjectAccount {
  #projects = new Map();

  onTestResult({ context }, result) {
    const name = context.config.displayName.name;
    const { files, tests, milliseconds } = this.#projects.get(name) ?? {
      files: 0,
      tests: 0,
      milliseconds: 0,
    };
    this.#projects.set(name, {
      files: files + 1,
      tests: tests + result.testResults.length,
      milliseconds: milliseconds + result.perfStats.runtime,
    });
  }

  onRunComplete() {
    console.log('\nBy project:');
    const byTime = [...this.#projects].sort(([, one], [, other]) => other.milliseconds - one.milliseconds);
    for (const [name, { files, tests, milliseconds }] of byTime) {
      const seconds = (milliseconds / 1000).toFixed(0).padStart(6);
      console.log(`${seconds} s  ${name}: ${files} files, ${tests} tests`);
    }
  }
}
