import { TrellisError, type Disposable, type RegistryView } from '@trellis/core';
import type { Change, ChangeMark, ChangeMarks } from '@trellis/sdk/server';
import { asPlugin } from '../runtime/current-plugin.ts';
import type { PluginErrors } from '../runtime/tokens.ts';

export interface CallMarksDependencies {
  readonly changeMarks: RegistryView<ChangeMark>;
  readonly errors: Pick<PluginErrors, 'report'>;
}

const longestMark = 1000;

/** The marks of plugins for the changes of the running calls, by request id. */
export class CallMarks implements ChangeMarks {
  readonly #deps: CallMarksDependencies;
  readonly #held = new Map<string, Record<string, string>>();

  constructor(deps: CallMarksDependencies) {
    this.#deps = deps;
  }

  /**
   * Reads the marks of a call that may write. Returns a function that drops them once the call is over.
   *
   * @throws TrellisError of a mark that refuses the call
   */
  begin(requestId: string, call: Parameters<ChangeMark['read']>[0]): () => void {
    const marks: Record<string, string> = {};
    for (const { item, owner } of this.#deps.changeMarks.entries()) {
      try {
        const mark = asPlugin(owner, () => item.read(call));
        if (mark !== undefined) marks[item.id] = mark.slice(0, longestMark);
      } catch (error) {
        if (error instanceof TrellisError) throw error;
        this.#deps.errors.report(owner, `change mark ${item.id}`, error);
      }
    }
    this.#held.set(requestId, marks);
    return () => void this.#held.delete(requestId);
  }

  keep(requestId: string, id: string, mark: string): void {
    const marks = this.#held.get(requestId);
    if (marks !== undefined) marks[id] = mark.slice(0, longestMark);
  }

  hold(requestId: string, id: string, mark: string): Disposable {
    const marks = { [id]: mark.slice(0, longestMark) };
    this.#held.set(requestId, marks);
    return {
      dispose: () => {
        if (this.#held.get(requestId) === marks) this.#held.delete(requestId);
      },
    };
  }

  /** Undefined if there are none. */
  of(requestId: string): Change['marks'] {
    const marks = this.#held.get(requestId);
    return marks === undefined || Object.keys(marks).length === 0 ? undefined : { ...marks };
  }
}
