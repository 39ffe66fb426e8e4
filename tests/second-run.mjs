/** Where more files failed, it was no accident. */
const most = 5;

/**
 * The files that are run a second time, by themselves: those that failed, where they are few and everything else was heard of. Beside
 * other files a disk or a database server may stand still for longer than the product has patience.
 */
export function filesToRepeat({ failed, failures, files }) {
  return failures.length === failed && files.length <= most ? files : [];
}

/**
 * What is said of a run whose failed files were run again. A test has not failed if it was seen to pass then, but is told of: `unsteady`
 * has its line of the first run. One that did not run, or of which nothing was heard, has failed.
 */
export function afterSecondRun(first, second) {
  const didPass = (line) => second.passing.some((name) => line.startsWith(`${name}: `));
  const unsteady = first.failures.filter(didPass);
  const left = first.failures.filter((line) => !didPass(line));
  return {
    ...first,
    passed: first.passed + unsteady.length,
    // Where all of the first run passed now, others may have failed.
    failed: Math.max(left.length, second.failed),
    failures: left.length > 0 ? left : second.failures,
    unsteady,
  };
}
