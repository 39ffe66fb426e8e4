import { pluginAskKinds, type PluginAsks } from '@trellis/sdk/shared';
import { ApiError, useHost } from '@trellis/sdk/web';
import { createElement } from 'react';
import { ConsentQuestion } from './ConsentQuestion.tsx';

/** Something that the server refuses until somebody agreed to what a plugin asks for. */
interface Asking {
  /** What people call the plugin. */
  readonly name: string;
  /** What is known to be asked for; the server may know of more. */
  readonly unagreed?: PluginAsks;
  readonly confirmLabel: string;
  readonly call: (consent: Partial<PluginAsks>) => Promise<unknown>;
}

export function asksForSomething(asks: PluginAsks): boolean {
  return pluginAskKinds.some((kind) => asks[kind].length > 0);
}

/** Asks people about what a plugin asks for before the server is asked, and again where the server knows of more. */
export function useConsent() {
  const { t, confirm } = useHost();

  /** @returns false where somebody did not agree; throws what the server refuses for another reason. */
  return async ({ name, unagreed, confirmLabel, call }: Asking): Promise<boolean> => {
    const agreesTo = (asks: PluginAsks) =>
      confirm({
        title: t('Agree to what {{name}} asks for?', { name }),
        message: createElement(ConsentQuestion, { asks }),
        confirmLabel,
      });
    const isKnown = unagreed !== undefined && asksForSomething(unagreed);
    if (isKnown && !(await agreesTo(unagreed))) return false;
    try {
      await call(isKnown ? unagreed : {});
    } catch (error) {
      const more = unagreedIn(error);
      if (more === undefined) throw error;
      if (!(await agreesTo(more))) return false;
      await call(more);
    }
    return true;
  };
}

function unagreedIn(error: unknown): PluginAsks | undefined {
  if (!(error instanceof ApiError) || error.code !== 'PLUGIN_NEEDS_CONSENT') return undefined;
  return error.params['unagreed'] as PluginAsks | undefined;
}
