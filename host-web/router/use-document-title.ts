import { useT } from '@trellis/sdk/web';
import { brand } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';

/** Sets the document's title. */
export function useDocumentTitle(title: string | undefined): void {
  const t = useT();
  const text = title === undefined ? undefined : t(title);
  useEffect(() => {
    document.title = text === undefined ? brand : `${text} · ${brand}`;
  }, [text]);
}
