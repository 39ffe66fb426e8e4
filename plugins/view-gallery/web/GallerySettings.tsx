import { useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { CardOptions } from '@trellis/sdk/web/cards';
import { Choices, Field } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { GalleryOptions } from '../shared/index.ts';

/** The settings of a gallery's cards. */
export default function GallerySettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const { columns = [] } = table;
  const options = settings as GalleryOptions;
  const coverId = options.coverId ?? columns.find(({ uidt }) => uidt === 'Attachment')?.id ?? '';
  return (
    <>
      <CardOptions
        columns={columns}
        options={{ ...options, coverId }}
        onChange={(changed) => onChange({ ...settings, ...changed })}
      />
      <Field label={t('Card size')}>
        <Choices
          label={t('Card size')}
          value={options.cardSize}
          options={[
            { value: 'small', label: t('Small') },
            { value: 'medium', label: t('Medium') },
            { value: 'large', label: t('Large') },
          ]}
          onChange={(cardSize) => onChange({ ...settings, cardSize })}
        />
      </Field>
    </>
  );
}
