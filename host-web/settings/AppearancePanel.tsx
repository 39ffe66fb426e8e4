import { InputSwitch } from 'primereact/inputswitch';
import { RadioButton } from 'primereact/radiobutton';
import { useRegistry, useShell, useT } from '@trellis/sdk/web';
import { useId } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { settingsSlice, type SettingsState } from '../store/settings-slice.ts';
import type { HostState } from '../store/store.ts';
import { customThemeId } from '../theme/theme-controller.ts';

const customColours = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'error'] as const;
/** The token of a colour that people know by another name. */
const tokenOf = (colour: string) => (colour === 'error' ? 'danger' : colour);

/** Light or dark, language, theme. */
export function AppearancePanel() {
  const t = useT();
  const id = useId();
  const dispatch = useDispatch();
  const settings = useSelector((state: HostState) => state.settings);
  const locales = useRegistry('locales');
  const change = (patch: Partial<SettingsState>) => void dispatch(settingsSlice.actions.changed(patch));
  return (
    <>
      <section className="tr-settings-section">
        <div className="tr-settings-row">
          <label htmlFor={`${id}-dark`}>
            {t('Dark mode')}
            <small>{t('Alt+Shift+D switches it anywhere')}</small>
          </label>
          <InputSwitch
            inputId={`${id}-dark`}
            checked={settings.dark}
            onChange={(event) => change({ dark: event.value })}
          />
        </div>
      </section>
      <section className="tr-settings-section" role="radiogroup" aria-labelledby={`${id}-language`}>
        <h2 id={`${id}-language`}>{t('Language')}</h2>
        {locales.map((locale) => (
          <div key={locale.id} className="tr-radio">
            <RadioButton
              inputId={`${id}-${locale.id}`}
              value={locale.id}
              checked={settings.language === locale.id}
              // The other languages are not complete yet.
              disabled={locale.id !== 'en'}
              onChange={() => change({ language: locale.id })}
            />
            <label htmlFor={`${id}-${locale.id}`}>{locale.label}</label>
          </div>
        ))}
      </section>
      <ThemeSection settings={settings} change={change} />
    </>
  );
}

interface ThemeSectionProps {
  readonly settings: SettingsState;
  readonly change: (patch: Partial<SettingsState>) => void;
}

function ThemeSection({ settings, change }: ThemeSectionProps) {
  const t = useT();
  const { dark } = useShell();
  const themes = useRegistry('themes');
  const choices = [
    ...themes.map((theme) => ({
      id: theme.id,
      label: theme.label,
      primary: (dark ? theme.dark : theme.light).primary ?? (dark ? '#0989ff' : '#1348ba'),
    })),
    { id: customThemeId, label: 'Custom', primary: settings.customTheme.primary ?? 'var(--trellis-primary)' },
  ];
  return (
    <section className="tr-settings-section">
      <h2>{t('Theme')}</h2>
      <div className="tr-theme-list" role="radiogroup" aria-label={t('Theme')}>
        {choices.map(({ id, label, primary }) => (
          <button
            key={id}
            type="button"
            role="radio"
            className="tr-theme"
            aria-checked={settings.themeId === id}
            onClick={() => change({ themeId: id })}
          >
            <span className="tr-theme-swatch" style={{ background: primary }} />
            {t(label)}
          </button>
        ))}
      </div>
      {settings.themeId === customThemeId && (
        <div className="tr-colours">
          {customColours.map((colour) => (
            <label key={colour}>
              <input
                type="color"
                className="tr-colour"
                value={settings.customTheme[tokenOf(colour)] ?? currentColour(tokenOf(colour))}
                onChange={(event) =>
                  change({ customTheme: { ...settings.customTheme, [tokenOf(colour)]: event.target.value } })
                }
              />
              {t(colour[0]?.toUpperCase() + colour.slice(1))}
            </label>
          ))}
        </div>
      )}
    </section>
  );
}

/** The colour that the page has now, for a picker that nobody touched yet. */
function currentColour(token: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--trellis-${token}`).trim();
  return /^#[0-9a-f]{6}$/i.test(value) ? value : '#000000';
}
