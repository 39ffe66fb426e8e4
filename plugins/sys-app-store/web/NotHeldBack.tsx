import { useT } from '@trellis/sdk/web';

/** What a plugin could do where it runs, whatever it asks for: its code shares a process with the server, and a page with people. */
export function NotHeldBack({ halves }: { readonly halves: readonly string[] }) {
  const t = useT();
  return (
    <>
      {halves.includes('server') && (
        <p className="tr-note">
          {t(
            'A plugin runs inside the server with its rights. The hosts that it calls through the product are held to this list; what it could do around the product, with files, memory or connections of its own, is not held back. Install what you trust.',
          )}
        </p>
      )}
      {halves.includes('web') && (
        <p className="tr-note">
          {t(
            'In the browser it can see and do whatever the person can who has the page open, your own page included; nothing in a page holds it back from that.',
          )}
        </p>
      )}
    </>
  );
}
