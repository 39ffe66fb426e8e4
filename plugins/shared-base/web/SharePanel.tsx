import type { ProjectEntity } from '@trellis/sdk/shared';
import { embedCode, messageOfError, objectsTag, useHost, useServerData } from '@trellis/sdk/web';
import {
  copyText,
  ErrorNotice,
  FramingSites,
  MenuButton,
  QrCode,
  Select,
  Skeleton,
} from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { sharesObjectKind, type SharedRole, type ShareEntity } from '../shared/index.ts';
import { pathOf, visitAddress } from './visit.ts';

/** A change of the share; fields that are left out stay as they are on the server. */
interface ShareBody {
  readonly roles?: SharedRole;
  readonly embed_sites?: readonly string[];
}

/** A project's sharing: its link, the visitors' rights, and the switch. */
export function SharePanel({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const [isBusy, setBusy] = useState(false);
  const [isEmbedding, setEmbedding] = useState(false);
  const [hasCode, setCode] = useState(false);
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/shared`;
  const tag = objectsTag(sharesObjectKind, project.id);
  const { data, error, refetch } = useServerData<ShareEntity>({ path }, { tags: [tag] });

  async function send(method: 'POST' | 'PATCH' | 'DELETE', body?: ShareBody) {
    if (isBusy) return;
    setBusy(true);
    try {
      await host.api.request({ method, path, ...(body && { body }) });
    } catch (failure) {
      const summary = t('The link could not be changed');
      host.toast({ severity: 'error', summary, detail: messageOfError(failure, t) });
    } finally {
      setBusy(false);
      host.invalidate([tag]);
    }
  }

  async function copy(text: string, summary: string) {
    const isCopied = await copyText(text);
    host.toast(
      isCopied
        ? { severity: 'success', summary }
        : { severity: 'error', summary: t('The browser did not let it be copied. Please select the link.') },
    );
  }

  async function renew(role: SharedRole) {
    const agreed = await host.confirm({
      title: t('Make a new link?'),
      message: t('The present link opens nothing any more, also where it is embedded.'),
      confirmLabel: t('New link'),
      danger: true,
    });
    if (agreed) await send('POST', { roles: role });
  }

  async function disable() {
    const agreed = await host.confirm({
      title: t('Disable shared base?'),
      message: t('The present link opens nothing any more, also where it is embedded.'),
      confirmLabel: t('Disable shared base'),
      danger: true,
    });
    if (agreed) await send('DELETE');
  }

  const failure = error !== undefined && <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return failure || <Skeleton height={48} count={2} />;
  const { uuid } = data;
  const role = data.roles ?? 'viewer';
  const isOpen = uuid !== null;
  return (
    <section className="shared-base" aria-busy={isBusy}>
      {failure}
      {isOpen && (
        <div className="shared-base-chip">
          <a href={visitAddress(uuid)} target="_blank" rel="noopener noreferrer">
            {visitAddress(uuid)}
          </a>
          <IconButton icon="refresh" label={t('Make a new link')} onClick={() => void renew(role)} />
          <IconButton
            icon="copy"
            label={t('Copy the link')}
            onClick={() => void copy(visitAddress(uuid), t('Copied shareable base url to clipboard!'))}
          />
          <IconButton
            icon="external-link"
            label={t('Open in a new tab')}
            onClick={() => window.open(visitAddress(uuid), '_blank', 'noopener')}
          />
          <IconButton
            icon="qrcode"
            label={t('QR code')}
            isExpanded={hasCode}
            onClick={() => setCode(!hasCode)}
          />
          <IconButton
            icon="code"
            label={t('Show it inside other sites')}
            isExpanded={isEmbedding}
            onClick={() => setEmbedding(!isEmbedding)}
          />
        </div>
      )}
      {isOpen && hasCode && <QrCode text={visitAddress(uuid)} />}
      <div className="shared-base-choice">
        <MenuButton
          label={t('Who can open the project')}
          className="tr-button"
          actions={[
            {
              id: 'on',
              label: t('Anyone with the link'),
              icon: 'globe',
              run: () => void (isOpen ? undefined : send('PATCH', { roles: 'viewer' })),
            },
            {
              id: 'off',
              label: t('Disable shared base'),
              icon: 'lock',
              run: () => void (isOpen ? disable() : undefined),
            },
          ]}
        >
          <i className={`pi pi-${isOpen ? 'globe' : 'lock'}`} aria-hidden="true" />{' '}
          {isOpen ? t('Anyone with the link') : t('Disabled')}{' '}
          <i className="pi pi-chevron-down" aria-hidden="true" />
        </MenuButton>
        {isOpen && (
          <Select<SharedRole>
            label={t('What visitors may do')}
            value={role}
            options={[
              { value: 'editor', label: t('editor') },
              { value: 'viewer', label: t('viewer') },
            ]}
            onChange={(chosen) => void send('PATCH', { roles: chosen })}
          />
        )}
      </div>
      <p className="tr-note">
        {!isOpen
          ? t('Only the people of this project can open it.')
          : role === 'editor'
            ? t('Anyone on the internet with this link can edit')
            : t('Anyone on the internet with this link can view')}
      </p>
      {isOpen && isEmbedding && (
        <FramingSites
          sites={data.embed_sites ?? []}
          code={embedCode(pathOf(uuid), project.title)}
          onChange={(sites) => void send('PATCH', { embed_sites: sites })}
        />
      )}
    </section>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  /** Whether the element that it opens is open. */
  readonly isExpanded?: boolean;
  readonly onClick: () => void;
}

function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      className="tr-icon-button"
      title={props.label}
      aria-label={props.label}
      aria-expanded={props.isExpanded}
      onClick={props.onClick}
    >
      <i className={`pi pi-${props.icon}`} aria-hidden="true" />
    </button>
  );
}
