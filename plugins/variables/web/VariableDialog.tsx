import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost } from '@trellis/sdk/web';
import { Dialog, Form, Switch, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestValue, namePattern, shortestSecret, type VariableEntity } from '../shared/index.ts';
import { saveRequest, variablesTag } from './variable-requests.ts';

const example = `SHOP_KEY`;

interface VariableDialogProps {
  readonly project: ProjectEntity;
  /** Undefined for a new one. */
  readonly variable: VariableEntity | undefined;
  readonly onClose: () => void;
}

/** Creates a variable, or changes one's value. */
export function VariableDialog({ project, variable, onClose }: VariableDialogProps) {
  const { t, api, invalidate, toast } = useHost();
  const { isBusy, problem, setProblem, attempt } = useAttempt();
  const [name, setName] = useState(variable?.name ?? '');
  const [value, setValue] = useState(variable?.value ?? '');
  const [isSecret, setSecret] = useState(variable?.is_secret ?? false);
  const wasSecret = variable?.is_secret === true;
  const stays = wasSecret && value === '';
  const isChanged =
    name !== (variable?.name ?? '') || value !== (variable?.value ?? '') || isSecret !== wasSecret;
  const isNamed = new RegExp(namePattern).test(name);

  async function submit() {
    if (!isNamed)
      return setProblem(
        t('A name begins with a letter and has letters without accents, digits and underscores, 64 at most.'),
      );
    if (stays && !isSecret)
      return setProblem(t('Nobody reads the secret: to show it from now on, write its value again.'));
    if (isSecret && !stays && value.length < shortestSecret)
      return setProblem(t('A secret has at least {{least}} characters.', { least: shortestSecret }));
    const draft = { name, value: stays ? undefined : value, is_secret: isSecret };
    if (!(await attempt(() => api.request(saveRequest(project, variable, draft))))) return;
    invalidate([variablesTag(project)]);
    toast({ severity: 'success', summary: t('The variable is saved') });
    onClose();
  }

  return (
    <Dialog
      title={variable === undefined ? t('New variable') : t('Change {{name}}', { name: variable.name })}
      width={520}
      isBusy={isBusy}
      isUnsaved={isChanged}
      onClose={onClose}
    >
      <Form
        submitLabel={t('Save')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('Name')}
          value={name}
          required
          autoFocus={variable === undefined}
          readOnly={variable !== undefined}
          maxLength={64}
          placeholder={example}
          hint={
            isNamed
              ? t('Messages name it as {{placeholder}}.', { placeholder: `{{env.${name}}}` })
              : t('Letters, digits and underscores.')
          }
          onChange={setName}
        />
        <TextField
          label={t('Value')}
          value={value}
          type={isSecret ? 'password' : 'text'}
          lines={3}
          autoComplete="off"
          autoFocus={variable !== undefined}
          maxLength={longestValue}
          placeholder={wasSecret ? t('stays as it is') : ''}
          onChange={setValue}
        />
        <Switch checked={isSecret} onChange={setSecret}>
          {t('Secret: shown to nobody again, and as ••• in every log')}
        </Switch>
      </Form>
    </Dialog>
  );
}
