import { useRegistry, useShell, useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useDispatch, useSelector } from 'react-redux';
import { settingsSlice, type SettingsState } from '../../store/settings-slice.ts';
import type { HostState } from '../../store/store.ts';
import { defaultPrimary } from '../../theme/built-in-themes.ts';
import { customThemeId } from '../../theme/theme-controller.ts';
import { SwitchRow } from './SwitchRow.tsx';

/** The seven colours of a custom theme. */
const customColours = [
  { token: 'primary', label: 'Primary' },
  { token: 'secondary', label: 'Secondary' },
  { token: 'accent', label: 'Accent' },
  { token: 'info', label: 'Info' },
  { token: 'success', label: 'Success' },
  { token: 'warning', label: 'Warning' },
  { token: 'danger', label: 'Error' },
] as const;

/** Mode, language and theme. */
export function AppearancePanel() {
  const t = useT();
  const dispatch = useDispatch();
  const settings = useSelector((state: HostState) => state.settings);
  const { dark } = useShell();
  const locales = useRegistry('locales');
  const change = (patch: Partial<SettingsState>) => void dispatch(settingsSlice.actions.changed(patch));
  return (
    <>
      <section className="tr-settings-section">
        <SwitchRow
          label={t('Dark mode')}
          hint={t('Alt+Shift+D switches it anywhere')}
          checked={dark}
          onChange={(on) => change({ mode: on ? 'dark' : 'light' })}
        />
        <SwitchRow
          label={t('Like the system')}
          hint={t('Light by day and dark by night, where the system changes by itself')}
          checked={settings.mode === 'system'}
          onChange={(on) => change({ mode: on ? 'system' : dark ? 'dark' : 'light' })}
        />
      </section>
      <section className="tr-settings-section tr-settings-row">
        <h2>{t('Language')}</h2>
        <Select
          label={t('Language')}
          value={settings.language}
          options={[
            { value: 'browser', label: t('As the browser is set') },
            ...locales.map(({ id, label }) => ({ value: id, label })),
          ]}
          onChange={(language) => change({ language })}
        />
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
  const half = dark ? 'dark' : 'light';
  const custom = settings.customTheme[half];
  const setCustom = (colours: Readonly<Record<string, string>>) =>
    change({ customTheme: { ...settings.customTheme, [half]: colours } });
  const themes = useRegistry('themes');
  const choices = [
    ...themes.map((theme) => ({
      id: theme.id,
      label: theme.label,
      primary: theme[half].primary ?? defaultPrimary[half],
    })),
    { id: customThemeId, label: 'Custom', primary: custom.primary ?? defaultPrimary[half] },
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
        <>
          <p className="tr-note">
            {dark ? t('The colours of the dark page.') : t('The colours of the light page.')}
          </p>
          <div className="tr-colours">
            {customColours.map(({ token, label }) => (
              <label key={token}>
                <input
                  type="color"
                  className="tr-colour"
                  value={custom[token] ?? currentColour(token)}
                  onChange={(event) => setCustom({ ...custom, [token]: event.target.value })}
                />
                {t(label)}
              </label>
            ))}
          </div>
          <button
            type="button"
            className="tr-button"
            disabled={Object.keys(custom).length === 0}
            onClick={() => setCustom({})}
          >
            {t('Back to the default colours')}
          </button>
        </>
      )}
    </section>
  );
}

/** The page's current colour, for a picker that was not used yet. */
function currentColour(token: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--trellis-${token}`).trim();
  return /^#[0-9a-f]{6}$/i.test(value) ? value : '#000000';
}
