import { stripVTControlCharacters } from 'node:util';

/** Maximum number of listed failures; a broken build fails everything. */
const most = 30;
/** Maximum characters of a message. */
const longest = 300;

/** The first meaningful line, without colours; Jest's own headings begin with a dot. */
function firstLine(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return (lines.find((line) => !/^\s*(?:$|●)/.test(line)) ?? 'no message').trim().slice(0, longest);
}

/** A test's name in this list; `name: why` is its line. */
export const nameOf = (file, test, root) => `${file.name.slice(root.length)}: ${test.fullName}`;

/**
 * A line for each failed test, and for each file that could not be loaded: in a long run they scroll away, and the middle of a long
 * log is often cut.
 *
 * @param files the `testResults` of Jest's `--json`
 * @param root the folder that the names begin with, with a separator
 */
export function failuresOf(files, root) {
  const lines = files.flatMap((file) => {
    const name = file.name.slice(root.length);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0)
      return failed.map((test) => `${nameOf(file, test, root)}: ${firstLine(test.failureMessages[0])}`);
    return file.status === 'failed' ? [`${name}: ${firstLine(file.message)}`] : [];
  });
  return lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} more`] : lines;
}
