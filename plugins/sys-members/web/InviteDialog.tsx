import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost, type Attempt } from '@trellis/sdk/web';
import { Choices, Dialog, Form, Select } from '@trellis/sdk/web/ui';
import { useId, useState } from 'react';
import { addressesOf, isAddress, type AddAnswer } from '../shared/index.ts';
import { InviteOutcome } from './InviteOutcome.tsx';
import { useRoles } from './roles/role-requests.ts';
import { givableRoles, meaningOf } from './roles.ts';
import { addRequest, teamTag } from './team-requests.ts';

/** Adds people to a project by their addresses, and then shows the links of those who got no mail. */
export function InviteDialog(props: { readonly project: ProjectEntity; readonly onClose: () => void }) {
  const { project, onClose } = props;
  const host = useHost();
  const { t } = host;
  const [answer, setAnswer] = useState<AddAnswer>();
  const attempt = useAttempt();
  const title = t('Invite to {{title}}', { title: project.title });

  function done(added: AddAnswer) {
    host.invalidate([teamTag(project.id)]);
    const isAllDone = added.people.every(({ invite_token: token }) => token === null);
    if (!isAllDone || (added.error ?? []).length > 0) return setAnswer(added);
    host.toast({ severity: 'success', summary: t('Successfully updated the user details') });
    onClose();
  }

  return (
    <Dialog title={title} width={700} isBusy={attempt.isBusy} onClose={onClose}>
      {answer === undefined ? (
        <InviteForm project={project} attempt={attempt} onDone={done} onCancel={onClose} />
      ) : (
        <InviteOutcome answer={answer} onMore={() => setAnswer(undefined)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function InviteForm(props: {
  readonly project: ProjectEntity;
  readonly attempt: Attempt;
  readonly onDone: (answer: AddAnswer) => void;
  readonly onCancel: () => void;
}) {
  const { project, onDone, onCancel } = props;
  const { t, api } = useHost();
  const id = useId();
  const [text, setText] = useState('');
  const [role, setRole] = useState<string>('editor');
  const { isBusy, problem, setProblem, attempt } = props.attempt;
  const custom = useRoles(project).data?.list ?? [];
  const usual = givableRoles(project)
    .filter((of) => of !== 'owner')
    .map((value) => ({ value: value as string, label: t(value) }));
  const options = [...usual, ...custom.map(({ id: value, title: label }) => ({ value, label }))];
  const chosen = custom.find((of) => of.id === role);
  // A few roles are all shown; more would fill the dialog.
  const Field = custom.length === 0 ? Choices : Select;

  function problemOf(addresses: readonly string[]): string | undefined {
    if (addresses.length === 0) return t('E-mail is required');
    const wrong = addresses.filter((address) => !isAddress(address));
    return wrong.length === 0 ? undefined : t('"{{list}}" - invalid email', { list: wrong.join(', ') });
  }

  async function submit() {
    const addresses = addressesOf(text);
    const wrong = problemOf(addresses);
    if (wrong !== undefined) return setProblem(wrong);
    let answer: AddAnswer | undefined;
    await attempt(async () => {
      answer = await api.request<AddAnswer>(addRequest(project, addresses, role));
    });
    if (answer !== undefined) onDone(answer);
  }

  return (
    <Form
      submitLabel={t('Invite')}
      busyLabel={t('Inviting …')}
      isBusy={isBusy}
      problem={problem}
      onSubmit={() => void submit()}
      onCancel={onCancel}
    >
      <div className="tr-field">
        <label htmlFor={id}>{t('E-mail')}</label>
        <textarea
          id={id}
          className="p-inputtext p-component team-addresses"
          rows={2}
          value={text}
          autoFocus
          spellCheck={false}
          placeholder="ann@example.com, bob@example.com"
          aria-describedby={`${id}-note`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!event.repeat) event.currentTarget.form?.requestSubmit();
          }}
        />
        <small id={`${id}-note`} className="tr-note">
          {t('One address or several, with commas between them.')}
        </small>
      </div>
      <div className="tr-field">
        <Field<string> label={t('Role')} value={role} options={options} onChange={setRole} />
        <small className="tr-note">
          {chosen === undefined
            ? t(meaningOf(role))
            : chosen.description || t('Narrows {{role}}', { role: t(chosen.base) })}
        </small>
      </div>
    </Form>
  );
}
