import { isWrittenAsPage, moneyLocales } from '#plugins/columns-basic/shared';
import { useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { pageLanguage, Select } from '@trellis/sdk/web/ui';
import { writeMoney, type CurrencyOptions } from '../shared/index.ts';
import { inPage } from './money-of-page.ts';

const example = 1234.5;
/** No locale has this name. */
const asPage = 'page';

/** Chooses the currency and the format of its amounts. */
export function CurrencyOptionsPanel({ options, onChange }: OptionsPanelProps<CurrencyOptions>) {
  const t = useT();
  const { currency_code: code, currency_locale: locale } = options;
  const names = new Intl.DisplayNames(pageLanguage(), { type: 'currency' });
  const page = inPage({ ...options, currency_format: 'page' });
  const written = (of: CurrencyOptions) => writeMoney(example, of);
  const codes = withChosen(Intl.supportedValuesOf('currency'), code);
  return (
    <>
      <div className="tr-field">
        <span>{t('Currency')}</span>
        <Select
          label={t('Currency')}
          value={code}
          options={codes.map((of) => ({ value: of, label: `${of} · ${names.of(of) ?? of}` }))}
          onChange={(next) => onChange({ ...options, currency_code: next })}
        />
      </div>
      <div className="tr-field">
        <span>{t('Written as')}</span>
        <Select
          label={t('Written as')}
          value={isWrittenAsPage(options) ? asPage : locale}
          options={[
            {
              value: asPage,
              label: t('In the format of each reader: {{example}}', { example: written(page) }),
            },
            ...withChosen(moneyLocales, locale).map((of) => ({
              value: of,
              label: `${written({ ...options, currency_locale: of })} (${of})`,
            })),
          ]}
          onChange={(next) =>
            onChange(
              next === asPage
                ? { ...options, currency_format: 'page' }
                : { ...options, currency_format: 'locale', currency_locale: next },
            )
          }
        />
      </div>
    </>
  );
}

function withChosen(list: readonly string[], chosen: string): readonly string[] {
  return list.includes(chosen) ? list : [chosen, ...list];
}
