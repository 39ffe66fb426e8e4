import { useEffect, useMemo, useState, type ReactNode } from 'react';
import {
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigate,
  useNavigationType,
  type Location,
} from 'react-router-dom';

interface HeldLocationProps {
  /** Asks before a place is left. */
  readonly guard: { readonly isNeeded: boolean; ask(): Promise<boolean>; giveUp(): void; arrived(): void };
  readonly children: ReactNode;
}

/** Query parameters that identify a place; other parameters do not change the place. */
const placeParams = ['type', 'dbalias', 'view'];

/**
 * Shows its children at the person's current location. If another place is requested while something would be lost, the page stays
 * until they answer, and the address goes back if they stay.
 */
export function HeldLocation({ guard, children }: HeldLocationProps) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const now = useMemo(
    () => ({ location, navigationType, index: indexInHistory() }),
    [location, navigationType],
  );
  const [shown, setShown] = useState(now);
  const isHeld = placeOf(location) !== placeOf(shown.location) && guard.isNeeded;
  if (!isHeld && shown !== now) setShown(now);
  const place = placeOf(shown.location);
  // By now everything of the former place is unmounted.
  useEffect(() => guard.arrived(), [guard, place]);
  useEffect(() => {
    if (!isHeld) return;
    let isLatest = true;
    void guard.ask().then((goes) => {
      if (!isLatest) return;
      if (goes) {
        guard.giveUp();
        setShown(now);
        return;
      }
      const steps = shown.index === undefined || now.index === undefined ? 0 : shown.index - now.index;
      // Goes back the same way, so that the entries of the history stay as they are.
      if (steps !== 0) void navigate(steps);
      else void navigate(shown.location, { replace: true });
    });
    return () => {
      isLatest = false;
    };
  }, [isHeld, guard, now, shown, navigate]);
  return <LocationContext value={isHeld ? shown : now}>{children}</LocationContext>;
}

/** The page's index in this tab's history, as the router counts; undefined if it has none. */
function indexInHistory(): number | undefined {
  const { idx } = (window.history.state ?? {}) as { readonly idx?: unknown };
  return typeof idx === 'number' ? idx : undefined;
}

function placeOf({ pathname, search }: Location): string {
  const params = new URLSearchParams(search);
  return JSON.stringify([pathname, ...placeParams.map((name) => params.get(name))]);
}
