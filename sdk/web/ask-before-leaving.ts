/**
 * Has the browser ask, in words of its own, before the page is left or loaded again, as long as something in it would be lost.
 *
 * @param isUnsaved asked at that moment; left out: always
 * @returns ends that
 * @public
 */
export function askBeforeLeaving(isUnsaved: () => boolean = () => true): () => void {
  const ask = (event: BeforeUnloadEvent): void => {
    if (isUnsaved()) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}
