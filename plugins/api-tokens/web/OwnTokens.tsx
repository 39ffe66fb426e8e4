import { useT } from '@trellis/sdk/web';
import { TokenList } from './TokenList.tsx';

/** The person's tokens, for all projects and for single ones. */
export default function OwnTokens() {
  const t = useT();
  return (
    <section className="tokens">
      <p className="tr-note">
        {t('A token lets a script or another program work in your name, in all of your projects or in one.')}
      </p>
      <TokenList path="/api/v1/db/meta/api-tokens" roles={['creator', 'editor', 'viewer']} />
    </section>
  );
}
