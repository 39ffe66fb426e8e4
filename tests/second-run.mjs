/** If more files failed, it was no accident. */
const most = 5;

/**
 * The files to run again separately: the failed ones, if they are few and all other results are known. With other files running, a
 * disk or a database server may stall for longer than the product waits.
 */
export function filesToRepeat({ failed, failures, files }) {
  return failures.length === failed && files.length <= most ? files : [];
}

/**
 * The result of a run whose failed files were run again. A test that passed then has not failed, but is reported: `unsteady`
 * contains its line of the first run. A test that did not run, or whose result is unknown, has failed.
 */
export function afterSecondRun(first, second) {
  const didPass = (line) => second.passing.some((name) => line.startsWith(`${name}: `));
  const unsteady = first.failures.filter(didPass);
  const left = first.failures.filter((line) => !didPass(line));
  return {
    ...first,
    passed: first.passed + unsteady.length,
    // If everything from the first run passed now, other tests may have failed.
    failed: Math.max(left.length, second.failed),
    failures: left.length > 0 ? left : second.failures,
    unsteady,
  };
}
