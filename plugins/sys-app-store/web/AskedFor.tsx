import { pluginAskKinds, type PluginAsks } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';

const terms: Readonly<Record<keyof PluginAsks, { readonly label: string }>> = {
  paths: { label: 'Addresses of the product' },
  hosts: { label: 'Hosts that it calls' },
  permissions: { label: 'Asks for' },
  tables: { label: 'Tables of its own' },
};

/** What a plugin asks for, a line for each kind; may stand in a label. */
export function AskedFor({ asks }: { readonly asks: PluginAsks }) {
  const t = useT();
  return (
    <span className="store-asks">
      {pluginAskKinds
        .filter((kind) => asks[kind].length > 0)
        .map((kind) => (
          <span key={kind}>
            {t(terms[kind].label)}: <code>{asks[kind].join(', ')}</code>
          </span>
        ))}
    </span>
  );
}
