import { hostObjectKinds, type ViewEntity } from '@trellis/sdk/shared';
import { hasPermission, objectsTag, useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { Notice, Switch } from '@trellis/sdk/web/ui';
import type { FormOptions } from '../shared/index.ts';
import { localTime, momentIn } from './moments.ts';
import { OptionText } from './OptionFields.tsx';
import { PictureOption, type PictureOptionProps } from './PictureOption.tsx';
import type { FormChange } from './use-form-changes.ts';

export interface FormSettingsProps {
  readonly project: ViewProps['project'];
  readonly view: ViewEntity;
  readonly options: FormOptions;
  /** Resolves to whether the change was accepted. */
  onChange(this: void, change: FormChange): Promise<boolean>;
  onPicture: PictureOptionProps['onPicture'];
}

/** The form's texts, what follows an answer, and when the form is open. */
export function FormSettings({ project, view, options, onChange, onPicture }: FormSettingsProps) {
  const t = useT();
  return (
    <section className="form-settings" aria-label={t('Settings of the form')}>
      <OptionText
        label={t('Title')}
        value={options.heading}
        placeholder={view.title}
        maxLength={255}
        onSave={(heading) => onChange({ heading: heading.trim() })}
      />
      <OptionText
        label={t('Description')}
        value={options.description}
        isLong
        maxLength={4000}
        onSave={(description) => onChange({ description })}
      />
      <PictureOption label={t('Banner')} place="banner" viewId={view.id} {...{ options, onPicture }} />
      <PictureOption label={t('Logo')} place="logo" viewId={view.id} {...{ options, onPicture }} />
      <OptionText
        label={t('Text of the button')}
        value={options.submitLabel}
        placeholder={t('Submit')}
        maxLength={80}
        onSave={(submitLabel) => onChange({ submitLabel: submitLabel.trim() })}
      />
      <h3>{t('After submitting')}</h3>
      <OptionText
        label={t('Message after submitting')}
        value={options.successMessage}
        placeholder={t('Thank you! Your answer was sent.')}
        isLong
        maxLength={4000}
        onSave={(successMessage) => onChange({ successMessage })}
      />
      <Switch
        checked={options.submitsAnother}
        onChange={(submitsAnother) => void onChange({ submitsAnother })}
      >
        {t('Show "Submit another form"')}
      </Switch>
      <Switch checked={options.showsBlank} onChange={(showsBlank) => void onChange({ showsBlank })}>
        {t('Show a blank form after 5 seconds')}
      </Switch>
      <OptionText
        label={t('Go to this address after submitting')}
        type="url"
        value={options.redirectUrl}
        hint={t('Begins with https://')}
        onSave={(redirectUrl) => onChange({ redirectUrl: redirectUrl.trim() })}
      />
      <h3>{t('Mail for each answer')}</h3>
      {hasPermission('userList', project) && <MailChoice {...{ project, view, options, onChange }} />}
      <h3>{t('Limits')}</h3>
      <OptionText
        label={t('Opens')}
        type="datetime-local"
        value={localTime(options.opensAt)}
        onSave={(text) => onChange({ opensAt: momentIn(text) })}
      />
      <OptionText
        label={t('Closes')}
        type="datetime-local"
        value={localTime(options.closesAt)}
        onSave={(text) => onChange({ closesAt: momentIn(text) })}
      />
      <OptionText
        label={t('Limit of answers')}
        type="number"
        value={options.mostAnswers === 0 ? '' : String(options.mostAnswers)}
        hint={t('Counts what came by the link. Empty for no limit.')}
        onSave={(text) => onChange({ mostAnswers: Math.max(0, Math.trunc(Number(text))) })}
      />
      <OptionText
        label={t('Answers from one address in a minute')}
        type="number"
        value={String(options.mostPerMinute)}
        hint={t('Who is signed in is counted alone, whatever the address.')}
        onSave={(text) => onChange({ mostPerMinute: Math.trunc(Number(text)) || 60 })}
      />
      <Switch checked={options.oncePerPerson} onChange={(oncePerPerson) => void onChange({ oncePerPerson })}>
        {t('One answer per person')}
      </Switch>
      {options.oncePerPerson && (
        <small className="tr-note">
          {t(
            'Who is signed in is known by the account, and by what their browser sent before. Others are known by a cookie in their browser, which they can delete; inside the pages of another site, only where this one is served over HTTPS.',
          )}
        </small>
      )}
    </section>
  );
}

function MailChoice({ project, view, options, onChange }: Omit<FormSettingsProps, 'onPicture'>) {
  const t = useT();
  const { data: members } = useServerData<{
    readonly users: { readonly list: readonly { readonly email: string }[] };
  }>(
    { path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/users` },
    // The page learns of changed members as a change of the projects.
    { tags: [objectsTag('team', project.id), 'projects'] },
  );
  const { data: form } = useServerData<{ readonly mail_ready: boolean }>(
    { path: `/api/v1/db/meta/forms/${encodeURIComponent(view.id)}` },
    // Plugins send the mail; their settings may change.
    { tags: ['plugins', objectsTag(hostObjectKinds.pluginSettings)] },
  );
  const { emails } = options;
  const known = members?.users.list.map(({ email }) => email) ?? [];
  const all = [...new Set([...known, ...Object.keys(emails).filter((email) => emails[email] === true)])];
  return (
    <>
      {form?.mail_ready === false && (
        <Notice severity="info">
          {t('No mail can be sent yet. Switch on the SMTP plugin in the app store.')}
        </Notice>
      )}
      {all.map((email) => (
        <Switch
          key={email}
          checked={emails[email] === true}
          onChange={(isOn) => void onChange((now) => ({ emails: { ...now.emails, [email]: isOn } }))}
        >
          {email}
        </Switch>
      ))}
    </>
  );
}
