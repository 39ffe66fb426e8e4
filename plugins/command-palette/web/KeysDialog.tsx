import { keysOf, keysText, useContributions, useT, type Command } from '@trellis/sdk/web';
import { Dialog } from '@trellis/sdk/web/ui';
import { Fragment } from 'react';

/** The keys of every available command, with their meanings. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const commands = useContributions('commands', (command) => keysOf(command).length > 0);
  const groupOf = ({ keysIn, category = 'Commands' }: Command) => keysIn ?? category;
  const groups = [...new Set(commands.map(groupOf))];
  return (
    <Dialog title={t('Keyboard shortcuts')} width={560} dismissable onClose={onClose}>
      <div className="palette-keys">
        {groups.map((group) => (
          <Fragment key={group}>
            <h3>{t(group)}</h3>
            <dl>
              {commands
                .filter((command) => groupOf(command) === group)
                .map((command) => (
                  <div key={command.id}>
                    <dt>{t(command.label)}</dt>
                    <dd>
                      {keysOf(command).map((keys) => (
                        <kbd key={keys}>{keysText(keys, t)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </Fragment>
        ))}
      </div>
    </Dialog>
  );
}
