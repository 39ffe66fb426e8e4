import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { TokenEntity } from '../shared/index.ts';

/** One token: its rights, its expiry, and its last use. */
export function TokenLine(props: {
  readonly token: TokenEntity;
  readonly isShared: boolean;
  readonly onDelete: () => void;
}) {
  const { token, isShared, onDelete } = props;
  const t = useT();
  const days = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' });
  const day = (time: string) => days.format(new Date(`${time.replace(' ', 'T')}Z`));
  const name = token.description || token.token;
  const facts = [
    t(token.permissions),
    token.project_id === null ? t('all projects') : !isShared && t('one project'),
    isShared && token.owner.email,
    token.expiry === null ? t('without end') : t('until {{day}}', { day: day(token.expiry) }),
    token.last_used_at === null ? t('never used') : t('last used {{day}}', { day: day(token.last_used_at) }),
  ];
  return (
    <li>
      <i className="pi pi-key" aria-hidden="true" />
      <span>
        <strong>{name}</strong> <code>{token.token}</code>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </span>
      <button
        type="button"
        className="tr-icon-button"
        aria-label={t('Delete the token {{name}}', { name })}
        title={t('Delete')}
        onClick={onDelete}
      >
        <i className="pi pi-trash" aria-hidden="true" />
      </button>
    </li>
  );
}
