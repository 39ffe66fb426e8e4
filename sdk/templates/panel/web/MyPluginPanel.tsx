import { useT } from '@trellis/sdk/web';

/** A panel of the settings dialog. */
export function MyPluginPanel() {
  const t = useT();
  return <p>{t('My plugin keeps notes; its page is in the menu of your account.')}</p>;
}
