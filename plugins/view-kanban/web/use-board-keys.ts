import { useT } from '@trellis/sdk/web';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import type { RowData } from '@trellis/sdk/web/rows';
import { type KeyboardEvent, useState } from 'react';
import type { DropPlace } from './use-card-drag.ts';

/** A stack as the keys see it. */
export interface KeyStack {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

interface KeysOf {
  /** The stacks whose cards are visible. */
  readonly stacks: readonly KeyStack[];
  readonly mayMove: boolean;
  /** The cards that an action on one applies to: that card, or all selected ones if it is selected. */
  meantBy(this: void, row: RowData): readonly RowData[];
  focus(this: void, place: DropPlace): void;
  onNew(this: void, stackId: string): void;
  /** Selects or deselects the card; with Shift, all cards up to it. */
  onSelect(this: void, row: RowData, place: DropPlace, upTo: boolean): void;
  onClear(this: void): void;
  /** Resolves to the number of cards that were moved; the person was told why others were not. */
  onDrop(this: void, row: RowData, place: DropPlace): Promise<number>;
  /** Announces a text to screen readers. */
  say(this: void, text: string): void;
}

/**
 * Operates the board by keys: arrows move between cards, Enter opens, N adds, Space with Ctrl or Shift selects. Space lifts a card
 * and those selected with it; arrows then choose their place, Space or Enter puts them there, Escape leaves them where they were.
 */
export function useBoardKeys(of: KeysOf) {
  const { stacks, mayMove, meantBy, focus, onNew, onSelect, onClear, onDrop, say } = of;
  const t = useT();
  const [lifted, setLifted] = useState<{ readonly row: RowData; readonly target: DropPlace }>();
  const end = (): void => setLifted(undefined);
  const sayOf = ({ stackId, index }: DropPlace) => ({
    stack: stacks.find(({ id }) => id === stackId)?.title ?? '',
    place: index + 1,
  });
  const sayStay = (row: RowData) =>
    say(
      t('{{count}} cards stay where they were.', {
        count: meantBy(row).length,
        one: 'The card stays where it was.',
      }),
    );

  async function drop({ row, target }: NonNullable<typeof lifted>): Promise<void> {
    end();
    const count = await onDrop(row, target);
    if (count === 0) return sayStay(row);
    say(
      t('{{count}} cards were put in {{stack}} from place {{place}} on.', {
        count,
        one: 'The card was put in {{stack}} at place {{place}}.',
        ...sayOf(target),
      }),
    );
  }

  /** The place one step away; undefined at the edge. `over`: the number of places after the last card. */
  const stepped = ({ stackId, index }: DropPlace, key: string, over: number): DropPlace | undefined => {
    const at = stacks.findIndex(({ id }) => id === stackId);
    const [forward, back] = isRightToLeft() ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const last = (stack: KeyStack | undefined) => Math.max(0, (stack?.count ?? 0) - 1 + over);
    if (key === 'ArrowDown') return { stackId, index: Math.min(index + 1, last(stacks[at])) };
    if (key === 'ArrowUp') return { stackId, index: Math.max(0, index - 1) };
    if (key === 'Home') return { stackId, index: 0 };
    if (key === 'End') return { stackId, index: last(stacks[at]) };
    if (key !== forward && key !== back) return undefined;
    const step = key === forward ? 1 : -1;
    for (let next = at + step; next >= 0 && next < stacks.length; next += step) {
      const stack = stacks[next];
      // An empty stack contains nothing that can be focused.
      if (stack !== undefined && stack.count + over > 0)
        return { stackId: stack.id, index: Math.min(index, last(stack)) };
    }
    return { stackId, index };
  };

  return {
    /** Where the lifted cards would be put. */
    target: lifted?.target,
    lifted: lifted?.row,
    /** The focus left the card, so nothing is lifted any more. */
    onBlur(): void {
      if (lifted === undefined) return;
      end();
      sayStay(lifted.row);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>, row: RowData | undefined, place: DropPlace): void {
      if (event.altKey || event.target !== event.currentTarget) return;
      const isWithCtrl = event.ctrlKey || event.metaKey;
      if (event.key === ' ' && (isWithCtrl || event.shiftKey) && lifted === undefined) {
        event.preventDefault();
        if (row !== undefined) onSelect(row, place, event.shiftKey);
        return;
      }
      if (isWithCtrl) return;
      const next = stepped(lifted?.target ?? place, event.key, lifted === undefined ? 0 : 1);
      if (next !== undefined) {
        if (lifted === undefined) focus(next);
        else {
          setLifted({ ...lifted, target: next });
          say(t('Place {{place}} in {{stack}}.', sayOf(next)));
        }
      } else if (event.key === 'Escape') {
        if (lifted === undefined) return onClear();
        end();
        sayStay(lifted.row);
      } else if (lifted && (event.key === ' ' || event.key === 'Enter')) void drop(lifted);
      else if (event.key === ' ' && mayMove && row !== undefined && row.readOnly !== true) {
        setLifted({ row, target: place });
        say(
          t('{{count}} cards lifted: arrow keys choose a place, Space puts them there, Escape cancels.', {
            count: meantBy(row).length,
            one: 'Card lifted: arrow keys choose a place, Space puts it there, Escape cancels.',
          }),
        );
      } else if (event.key === 'Enter') event.currentTarget.click();
      else if (event.key.toLowerCase() === 'n') onNew(place.stackId);
      else return;
      event.preventDefault();
    },
  };
}
