import { useRef, useState } from 'react';

/** The state of a field for a text that is stored elsewhere. @public */
export interface TypedText {
  readonly text: string;
  type(this: void, text: string): void;
  /** Sends the typed text, if it changed. */
  save(this: void): void;
  readonly isNew: boolean;
  /** Whether the shown text was sent and refused. */
  readonly isRefused: boolean;
}

interface Typed {
  readonly text: string;
  readonly isRefused?: boolean;
  /** The saved text that this one replaced; absent until it is saved. */
  readonly replaced?: string;
}

/**
 * A text typed over a saved one. It stays until it is saved: also after a refusal, while the person continues to type during
 * saving, and when the saved text changes meanwhile.
 *
 * @param send resolves to whether the text is saved
 * @param kept the stored form of a text; by default it is trimmed
 * @public
 */
export function useTypedText(
  saved: string,
  send: (text: string) => Promise<boolean>,
  kept: (text: string) => string = (text) => text.trim(),
): TypedText {
  const [typed, setTyped] = useState<Typed>();
  const sending = useRef<string>(undefined);
  // A saved text is shown as typed until it has been reloaded.
  const shown = typed?.replaced === undefined || typed.replaced === saved ? typed : undefined;
  const isNew = shown !== undefined && shown.replaced === undefined && kept(shown.text) !== saved;

  async function save(): Promise<void> {
    if (!isNew) return;
    const wanted = kept(shown.text);
    if (sending.current === wanted) return;
    sending.current = wanted;
    const isSaved = await send(wanted);
    if (sending.current === wanted) sending.current = undefined;
    const outcome = isSaved ? { replaced: saved } : { isRefused: true };
    setTyped((now) => (now !== undefined && kept(now.text) === wanted ? { ...now, ...outcome } : now));
  }

  return {
    text: shown?.text ?? saved,
    type: (text) => setTyped({ text }),
    save: () => void save(),
    isNew,
    isRefused: isNew && shown.isRefused === true,
  };
}
