import { useT } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';

/** Asks for a new view's name; Enter accepts the proposed name. */
export function NewViewForm(props: {
  readonly title: string;
  readonly onCreate: (title: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const [title, setTitle] = useState(props.title);
  const [isBusy, setBusy] = useState(false);

  async function submit() {
    if (title.trim() === '') return;
    setBusy(true);
    await props.onCreate(title.trim());
    setBusy(false);
  }

  return (
    <Form
      submitLabel={t('Create view')}
      isBusy={isBusy}
      onSubmit={() => void submit()}
      onCancel={props.onCancel}
    >
      <TextField label={t('View name')} value={title} autoFocus selectOnFocus onChange={setTitle} />
    </Form>
  );
}
