import type { ClientError } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';

/** The prefix of an error's place if a browser reported it. */
const inBrowsers = 'browser: ';
const keptErrors = 50;
/** The most errors of one plugin kept for one reporter, so that no one's reports replace all others. */
const keptOfOneReporter = 5;
const longestMessage = 500;

type ShownError = PluginEntity['errors'][number];

interface KeptError {
  readonly error: ShownError;
  /** The account whose browser reported it; undefined for an error on this server. */
  readonly reporter: string | undefined;
}

/** The errors of each plugin since the start, the newest first, for the app store page. */
export class PluginErrorLog {
  readonly #errors = new Map<string, readonly KeptError[]>();

  /** The last errors of a plugin. */
  of(id: string): PluginEntity['errors'] {
    return (this.#errors.get(id) ?? []).map(({ error }) => error);
  }

  /** Why a plugin's web half did not start in a browser, from the last report since a time in ISO 8601. */
  pageFailure(id: string, since: string): string | undefined {
    return this.of(id).find(({ at, where }) => where === `${inBrowsers}start` && at >= since)?.message;
  }

  /** Adds an error that an account's browser reported. */
  addReported({ pluginId, where, message, reporter }: ClientError): void {
    this.add(pluginId, `${inBrowsers}${where}`, message, reporter);
  }

  /** Adds an error as the newest. A repeated error of the same reporter moves up instead. */
  add(id: string, where: string, message: string, reporter?: string): void {
    const isSame = (of: KeptError) =>
      of.reporter === reporter && of.error.where === where && of.error.message === error.message;
    const error = { at: new Date().toISOString(), where, message: message.slice(0, longestMessage) };
    const earlier = (this.#errors.get(id) ?? []).filter((of) => reporter === undefined || !isSame(of));
    const kept = [{ error, reporter }, ...earlier];
    this.#errors.set(id, withinShare(kept, reporter).slice(0, keptErrors));
  }
}

/** The errors without the oldest ones of a reporter who has more than a share. */
function withinShare(errors: readonly KeptError[], reporter: string | undefined): readonly KeptError[] {
  if (reporter === undefined) return errors;
  let seen = 0;
  return errors.filter((of) => {
    if (of.reporter === reporter) seen += 1;
    return of.reporter !== reporter || seen <= keptOfOneReporter;
  });
}
