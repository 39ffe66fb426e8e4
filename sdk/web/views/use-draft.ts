import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import { ApiError, type ApiRequest } from '../api.ts';
import { messageOfError } from '../attempt.ts';
import { useHost } from '../host.tsx';

/** How a value is read, saved and compared. @public */
export interface DraftOptions<Value, Answer> {
  /** The server's value, once it is loaded. */
  readonly saved: Value;
  readonly isSame: (left: Value, right: Value) => boolean;
  /** The request that replaces the server's last loaded value. */
  readonly request: (value: Value, replaces: Value) => ApiRequest;
  /** The value in an answer. */
  readonly read: (answer: Answer) => Value;
  /** The server's current value, if it refused because somebody else was faster. */
  readonly theirs: (error: ApiError) => Value | undefined;
  /** The value with the server's additions, such as ids. */
  readonly merge: (value: Value, answer: Answer) => Value;
  /** The tags that are reloaded afterwards. */
  readonly tags: readonly string[];
}

interface State<Value> {
  readonly value: Value;
  /** Set once the server has accepted the value. */
  readonly taken?: {
    /** The page's known server value at that time. */
    readonly over: Value;
    /** The values of the person's earlier changes, which the page may load late. */
    readonly passed: readonly Value[];
  };
}

/**
 * A value that the person edits over the server's. It is shown from the first change until the page loads another value than it
 * knew when this one was accepted; late loads of the person's own earlier changes do not count. A refused value stays for
 * correction. If somebody else changed it meanwhile, the person chooses between the two, and is asked before leaving the page or
 * its place. A component for several objects must be remounted for each of them (`key`), since the refused value of one does not
 * belong to another.
 * @public
 */
export function useDraft<Value, Answer>(options: DraftOptions<Value, Answer>) {
  const { saved, isSame, request, read, merge, theirs, tags } = options;
  const host = useHost();
  const [draft, setDraft] = useState<State<Value>>();
  const [problem, setProblem] = useState<string>();
  /** The other person's value. */
  const [conflict, setConflict] = useState<Value>();
  const [isSaving, setSaving] = useState(false);
  /** The value that the next save replaces. */
  const base = useRef(saved);
  const passed = useRef<readonly Value[]>([]);
  const known = useRef(saved);
  useLayoutEffect(() => {
    known.current = saved;
  });
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const newest = useRef(0);

  // A value loaded after the change was accepted wins, unless it is equal: then the draft keeps its fields.
  const isOutdated =
    draft?.taken !== undefined &&
    ![draft.value, ...draft.taken.passed].some((own) => isSame(own, saved)) &&
    draft.taken.over !== saved;
  const shown = draft === undefined || isOutdated ? saved : draft.value;

  // The page has loaded the last saved value: later ones come from somebody else, even if they equal an earlier change.
  if (draft?.taken !== undefined && draft.taken.passed.length > 0 && isSame(draft.value, saved))
    setDraft({ value: draft.value, taken: { over: saved, passed: [] } });
  if (isOutdated) setDraft(undefined);

  function change(value: Value): void {
    newest.current += 1;
    if (shown === saved) base.current = saved;
    // Earlier changes no longer matter once the page knows the last one.
    if (shown === saved || isSame(shown, saved)) passed.current = [];
    setDraft({ value });
    forgive();
  }

  function forgive(): void {
    setProblem(undefined);
    setConflict(undefined);
  }

  const isRefused = problem !== undefined;
  useEffect(() => (isRefused ? askBeforeLeaving() : undefined), [isRefused]);

  /** Sends a value after the earlier ones. */
  function save(value: Value): Promise<void> {
    const version = newest.current;
    const sent = last.current.then(async () => {
      setSaving(true);
      try {
        const answer = await host.api.request<Answer>(request(value, base.current));
        base.current = read(answer);
        if (version === newest.current) {
          const taken = { over: known.current, passed: passed.current };
          setDraft({ value: merge(value, answer), taken });
        }
        passed.current = [...passed.current, base.current];
      } catch (error) {
        if (version !== newest.current) return;
        setProblem(messageOfError(error, host.t));
        if (error instanceof ApiError) setConflict(theirs(error));
      } finally {
        setSaving(false);
        host.invalidate(tags);
      }
    });
    last.current = sent;
    return sent;
  }

  return {
    shown,
    problem,
    isSaving,
    /** Whether something waits to be sent, or was refused. */
    isPending: draft !== undefined && draft.taken === undefined && !isSame(draft.value, saved),
    change,
    save,
    /** Overwrites the other person's value with this one; undefined if nobody changed it. */
    insist:
      conflict === undefined
        ? undefined
        : () => {
            base.current = conflict;
            forgive();
            return save(shown);
          },
    discard() {
      newest.current += 1;
      setDraft(undefined);
      forgive();
    },
  };
}
