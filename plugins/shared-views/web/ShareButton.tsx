import { Contribution, useRegistryItem, useT, type ViewProps } from '@trellis/sdk/web';
import { Dialog } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { SharePanel } from './SharePanel.tsx';

/** Shares a view by a link; views of types that cannot be shared have no such button. */
export default function ShareButton(props: ViewProps) {
  const { table, view } = props;
  const t = useT();
  const type = useRegistryItem('viewTypes', view.view_type);
  const sharing = type?.sharing;
  const [isOpen, setOpen] = useState(false);
  if (sharing === undefined) return null;
  return (
    <>
      <button type="button" className="tr-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <i className="pi pi-share-alt" aria-hidden="true" /> {t('Share view')}
      </button>
      {isOpen && (
        <Dialog
          title={t("Share the view '{{view}}'", { view: view.title })}
          width={560}
          onClose={() => setOpen(false)}
        >
          <SharePanel {...{ table, view, sharing }}>
            {(address) =>
              type?.LinkPanel && (
                <Contribution registry="viewTypes" id={type.id} what={t(type.label)} compact>
                  <type.LinkPanel {...props} address={address} />
                </Contribution>
              )
            }
          </SharePanel>
        </Dialog>
      )}
    </>
  );
}
