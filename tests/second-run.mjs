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
 * What is said of a run whose failed files were run again. A test that passes then has not failed, but is told of: `unsteady` has the
 * lines of the first run.
 */
export function afterSecondRun(first, second) {
  const nameOf = (line) => line.slice(0, line.indexOf(': '));
  const stillRed = new Set(second.failures.map(nameOf));
  const unsteady = first.failures.filter((line) => !stillRed.has(nameOf(line)));
  const { failed, failures } = second;
  return { ...first, passed: first.passed + Math.max(0, first.failed - failed), failed, failures, unsteady };
}
