/** A file of `testResults` in what Jest writes with `--json`. */
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

export function failuresOf(files: readonly FileResult[], root: string): readonly string[];
export function nameOf(
  file: Pick<FileResult, 'name'>,
  test: Pick<FileResult['assertionResults'][number], 'fullName'>,
  root: string,
): string;
