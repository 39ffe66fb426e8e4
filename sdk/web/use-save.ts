import { useRef, useState } from 'react';
import { ApiError } from './api.ts';
import { useAttempt, type Attempt } from './attempt.ts';
import { useHost } from './host.tsx';

/** The options of a form's saving. @public */
export interface SaveOptions {
  /** The `revision` with which the form started; null for a new object. */
  readonly revision: string | null;
  /** The tags that are reloaded after saving, and if somebody else was faster. */
  readonly tags: readonly string[];
  /** The person chooses what somebody else saved over their own input. */
  onTakeTheirs(this: void): void;
}

/** Somebody else saved the form's object while it was open. @public */
export interface SaveConflict {
  /** From now on the form overwrites the other person's state. */
  accept(this: void): void;
  takeTheirs(this: void): void;
}

/** Saving that never overwrites others without asking. @public */
export interface Saving extends Attempt {
  /** Undefined if nobody else saved. `Form` lets the person choose. */
  readonly conflict: SaveConflict | undefined;
  /**
   * Sends the input, with `replaces` for the server's comparison (`requireRevision`). Resolves to whether it is saved. Other errors
   * of `send` are shown as by `attempt`.
   */
  save(this: void, send: (replaces: string | null) => Promise<unknown>): Promise<boolean>;
}

/** The state of a form's saving. @public */
export function useSave({ revision, tags, onTakeTheirs }: SaveOptions): Saving {
  const host = useHost();
  const attempt = useAttempt();
  /** The revision that the next save replaces: the form keeps its initial one, whatever is loaded meanwhile. */
  const base = useRef(revision);
  /** The other person's revision. */
  const [theirs, setTheirs] = useState<{ readonly revision: string | null }>();

  function save(send: (replaces: string | null) => Promise<unknown>): Promise<boolean> {
    setTheirs(undefined);
    return attempt.attempt(async () => {
      try {
        await send(base.current);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CHANGED_MEANWHILE') throw error;
        setTheirs({ revision: error.params['revision'] as string | null });
        host.invalidate(tags);
        throw error;
      }
      host.invalidate(tags);
    });
  }

  return {
    ...attempt,
    save,
    conflict: theirs && {
      accept() {
        base.current = theirs.revision;
        setTheirs(undefined);
      },
      takeTheirs: onTakeTheirs,
    },
  };
}
