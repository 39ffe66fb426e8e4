import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost } from '@trellis/sdk/web';
import { Dialog, Form, Select } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { CustomRole } from '../../shared/index.ts';
import { givableRoles } from '../roles.ts';
import { teamTag } from '../team-requests.ts';
import { deleteRequest } from './role-requests.ts';

/** Deletes a role, and asks for the role that its people get instead. */
export function DeleteRoleDialog(props: {
  readonly project: ProjectEntity;
  readonly role: CustomRole;
  readonly others: readonly CustomRole[];
  readonly onClose: () => void;
}) {
  const { project, role, others, onClose } = props;
  const host = useHost();
  const { t } = host;
  const { isBusy, problem, attempt } = useAttempt();
  const [next, setNext] = useState<string>(role.base);
  const usual = givableRoles(project).filter((of) => of !== 'owner');
  const options = [
    ...usual.map((value) => ({ value: value as string, label: t(value) })),
    ...others.filter(({ id }) => id !== role.id).map(({ id, title }) => ({ value: id, label: title })),
  ];

  async function submit() {
    const replacement = role.people > 0 ? next : undefined;
    const done = await attempt(() => host.api.request(deleteRequest(project, role, replacement)));
    host.invalidate([teamTag(project.id)]);
    if (done) onClose();
  }

  return (
    <Dialog title={t('Delete the role {{title}}?', { title: role.title })} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Delete')}
        danger
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {role.people === 0 ? (
          <p>{t('Nobody has this role.')}</p>
        ) : (
          <div className="tr-field">
            <span>
              {t('{{count}} people have it. They get:', {
                count: role.people,
                one: 'One person has it and gets:',
              })}
            </span>
            <Select<string>
              label={t('Role in its place')}
              value={next}
              options={options}
              onChange={setNext}
            />
          </div>
        )}
      </Form>
    </Dialog>
  );
}
