import type { NamingColumn } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Notice, Switch } from '@trellis/sdk/web/ui';
import { columnList } from './column-requests.ts';

interface NamingNoticeProps {
  readonly naming: readonly NamingColumn[];
  /** Whether the formulas that can be adapted will be. */
  readonly follows: boolean;
  readonly onChange: (follows: boolean) => void;
}

/** Lists the formulas that contain values which are about to change, and lets the person decide whether they are adapted. */
export function NamingNotice({ naming, follows, onChange }: NamingNoticeProps) {
  const t = useT();
  const following = naming.filter((column) => column.follows);
  const remaining = naming.filter((column) => column.remains);
  if (naming.length === 0) return null;
  return (
    <Notice severity="warn">
      {following.length > 0 && (
        <>
          <p className="tables-naming">
            {t('These formulas compare with an option that gets another name: {{titles}}.', {
              titles: columnList(following),
            })}
          </p>
          <Switch checked={follows} onChange={onChange}>
            {t('Let them compare with the new name')}
          </Switch>
        </>
      )}
      {remaining.length > 0 && (
        <p className="tables-naming">
          {t(
            'These formulas name it in another way, or name one that is taken away, and keep their text: {{titles}}. Look at them after the change.',
            { titles: columnList(remaining) },
          )}
        </p>
      )}
    </Notice>
  );
}
