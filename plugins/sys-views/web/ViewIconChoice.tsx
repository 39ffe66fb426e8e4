import { isEmoji, type ViewEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Icon } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { ViewActions } from './use-view-actions.ts';
import { useViewIcon } from './view-icon.ts';

/** The offered icons of the icon font, with their English names. */
const icons = [
  { icon: 'star', label: 'Star' },
  { icon: 'heart', label: 'Heart' },
  { icon: 'flag', label: 'Flag' },
  { icon: 'bookmark', label: 'Bookmark' },
  { icon: 'bolt', label: 'Lightning' },
  { icon: 'bell', label: 'Bell' },
  { icon: 'check-circle', label: 'Tick' },
  { icon: 'exclamation-triangle', label: 'Warning' },
  { icon: 'clock', label: 'Clock' },
  { icon: 'calendar', label: 'Calendar' },
  { icon: 'inbox', label: 'Inbox' },
  { icon: 'envelope', label: 'Letter' },
  { icon: 'users', label: 'People' },
  { icon: 'user', label: 'Person' },
  { icon: 'building', label: 'Building' },
  { icon: 'home', label: 'Home' },
  { icon: 'shopping-cart', label: 'Cart' },
  { icon: 'box', label: 'Box' },
  { icon: 'truck', label: 'Truck' },
  { icon: 'wallet', label: 'Wallet' },
  { icon: 'chart-bar', label: 'Chart' },
  { icon: 'map-marker', label: 'Place' },
  { icon: 'globe', label: 'Globe' },
  { icon: 'wrench', label: 'Tool' },
] as const;

const emojis = '🚀 🎯 🔥 ✅ ⭐ 💡 📌 📅 📦 💰 🧾 📞 📣 🎉 🔖 🛒 🚚 🏠 🌍 🐞 🧪 🔒 🙂 👀'.split(' ');

/** Chooses a view's icon: one of some emojis and icons, any other emoji, or the type's icon. */
export function ViewIconChoice(props: {
  readonly view: ViewEntity;
  readonly actions: Pick<ViewActions, 'patch'>;
  readonly onDone: () => void;
}) {
  const { view, actions, onDone } = props;
  const t = useT();
  const iconOf = useViewIcon();
  const [own, setOwn] = useState('');
  const isWrong = own.trim() !== '' && !isEmoji(own.trim());

  function choose(icon: string | null) {
    onDone();
    if (icon !== (view.icon ?? null)) void actions.patch(view, { icon });
  }

  return (
    <form
      className="views-icons"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmoji(own.trim())) choose(own.trim());
      }}
    >
      <button
        type="button"
        className="tr-action"
        autoFocus
        aria-pressed={view.icon === null || view.icon === undefined}
        onClick={() => choose(null)}
      >
        <Icon name={iconOf({ ...view, icon: null })} /> {t('Icon of its type')}
      </button>
      <div className="views-icon-grid" role="group" aria-label={t('Emojis')}>
        {emojis.map((emoji) => (
          <IconButton
            key={emoji}
            icon={emoji}
            label={emoji}
            isChosen={view.icon === emoji}
            onChoose={choose}
          />
        ))}
      </div>
      <div className="views-icon-grid" role="group" aria-label={t('Icons')}>
        {icons.map(({ icon, label }) => (
          <IconButton
            key={icon}
            icon={icon}
            label={t(label)}
            isChosen={view.icon === icon}
            onChoose={choose}
          />
        ))}
      </div>
      <div className="views-row">
        <input
          className="p-inputtext p-component"
          value={own}
          maxLength={40}
          aria-label={t('Another emoji')}
          placeholder={t('Another emoji')}
          aria-invalid={isWrong}
          onChange={(event) => setOwn(event.target.value)}
        />
        <button type="submit" className="tr-button" disabled={!isEmoji(own.trim())}>
          {t('Use it')}
        </button>
      </div>
      {isWrong && (
        <p className="tr-note" role="status">
          {t('Enter one emoji and nothing else.')}
        </p>
      )}
    </form>
  );
}

function IconButton(props: {
  readonly icon: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: (icon: string) => void;
}) {
  return (
    <button
      type="button"
      className="tr-icon-button"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.isChosen}
      onClick={() => props.onChoose(props.icon)}
    >
      <Icon name={props.icon} />
    </button>
  );
}
