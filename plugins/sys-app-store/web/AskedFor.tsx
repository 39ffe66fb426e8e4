import { pluginAskKinds, type PluginAsks } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { askedText, askTerms, isInWords } from './asked-words.ts';

/** What a plugin asks for, a line for each kind; may stand in a label. */
export function AskedFor({ asks }: { readonly asks: PluginAsks }) {
  const t = useT();
  return (
    <span className="store-asks">
      {pluginAskKinds
        .filter((kind) => asks[kind].length > 0)
        .map((kind) => {
          const text = askedText(t, kind, asks[kind]);
          return (
            <span key={kind}>
              {t(askTerms[kind].label)}: {isInWords(kind, asks[kind]) ? text : <code>{text}</code>}
            </span>
          );
        })}
    </span>
  );
}
