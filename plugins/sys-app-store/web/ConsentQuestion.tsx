import type { PluginAsks } from '@trellis/sdk/shared';
import { AskedFor } from './AskedFor.tsx';
import { NotHeldBack } from './NotHeldBack.tsx';

/** What people agree to before a plugin runs. */
export function ConsentQuestion({ asks }: { readonly asks: PluginAsks }) {
  return (
    <>
      <AskedFor asks={asks} />
      <NotHeldBack halves={asks.halves} />
    </>
  );
}
