import type { ProjectRole } from '@trellis/sdk/shared';
import { useAttempt, useHost } from '@trellis/sdk/web';
import { Choices, Dialog, Form, HandOverDialog, Select, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestDescription, type TokenEntity } from '../shared/index.ts';

const meanings: Readonly<Record<ProjectRole, { readonly meaning: string }>> = {
  owner: { meaning: 'Everything that you may do' },
  creator: { meaning: 'Read and write rows, and change tables' },
  editor: { meaning: 'Read and write rows' },
  commenter: { meaning: 'Read rows, and comment on them' },
  viewer: { meaning: 'Read rows' },
};

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Without end' },
] as const;

function dayIn(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * 24 * 3600_000).toISOString().slice(0, 10);
}

/** Creates a token and shows its text once. */
export function NewTokenDialog(props: {
  readonly path: string;
  readonly roles: readonly ProjectRole[];
  readonly onMade: () => void;
  readonly onClose: () => void;
}) {
  const { path, roles, onMade, onClose } = props;
  const { t, api } = useHost();
  const [description, setDescription] = useState('');
  const [role, setRole] = useState<ProjectRole>(roles.includes('editor') ? 'editor' : 'viewer');
  const [days, setDays] = useState<string>('90');
  const [made, setMade] = useState<TokenEntity>();
  const { isBusy, problem, attempt } = useAttempt();

  async function submit() {
    const body = { description: description.trim(), permissions: role, expiry: dayIn(days) };
    await attempt(async () => {
      setMade(await api.request<TokenEntity>({ method: 'POST', path, body }));
      onMade();
    });
  }

  if (made !== undefined) return <MadeToken token={made.token} onClose={onClose} />;
  return (
    <Dialog title={t('New API token')} width={560} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Make the token')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('Name')}
          value={description}
          autoFocus
          maxLength={longestDescription}
          placeholder={t('What it is for')}
          onChange={setDescription}
        />
        <div className="tr-field">
          <Choices<ProjectRole>
            label={t('What it may do')}
            value={role}
            options={roles.map((value) => ({ value, label: t(value) }))}
            onChange={setRole}
          />
          <small className="tr-note">
            {t(meanings[role].meaning)}. {t('Never more than you yourself.')}
          </small>
        </div>
        <div className="tr-field">
          <span>{t('Works for')}</span>
          <Select
            label={t('Works for')}
            value={days}
            options={lifetimes.map(({ value, label }) => ({ value, label: t(label) }))}
            onChange={setDays}
          />
        </div>
      </Form>
    </Dialog>
  );
}

function MadeToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const { t } = useHost();
  return (
    <HandOverDialog
      title={t('Your new API token')}
      warning={t('Copy it now: nobody can read it again, not even you.')}
      label={t('Token')}
      value={token}
      hint={t('Send it as the header xc-token.')}
      copied={t('Token copied')}
      refused={t('The browser did not let it be copied. Please select the token.')}
      onClose={onClose}
    />
  );
}
