import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { commandOf, type KeyCommand } from '../page/keys.ts';
import type { SegmentActions } from './use-segment-actions.ts';

/** What is open in a segment, if anything is. */
export type SegmentPanel = 'editor' | 'overrule' | 'history' | 'comments';
export type SegmentStep = 'next' | 'previous' | 'person';

export interface UseSegmentCommandsOptions {
  segment: TranslatedSegment;
  row: RefObject<HTMLElement | null>;
  actions: SegmentActions;
  mayReview: boolean;
  /** Whether the server has what is shown, so that the findings are about it. */
  isSaved: boolean;
  onMove(to: SegmentStep): void;
}

export interface SegmentCommands {
  open: SegmentPanel | undefined;
  setOpen(panel: SegmentPanel | undefined): void;
  /** Closes what is open and gives the focus back to the segment. */
  close(): void;
  run(command: KeyCommand): void;
  press(event: KeyboardEvent): void;
}

/** Returns what keys and buttons do with a segment. */
export function useSegmentCommands(options: UseSegmentCommandsOptions): SegmentCommands {
  const { segment, row, actions, mayReview, isSaved, onMove } = options;
  const [open, setOpen] = useState<SegmentPanel>();
  const close = () => {
    setOpen(undefined);
    row.current?.focus();
  };
  const accept = async () => {
    if (!mayReview || actions.busy) return;
    const accepted = actions.accept();
    // The reviewer goes on at once, unless the numbers contradict each other.
    if (segment.blocked && isSaved) return void (await accepted);
    setOpen(undefined);
    onMove('person');
    await accepted;
  };
  const commands: Partial<Record<KeyCommand, () => void>> = {
    next: () => onMove('next'),
    previous: () => onMove('previous'),
    person: () => onMove('person'),
    accept: () => void accept(),
    edit: () => setOpen('editor'),
    take: () => segment.proposal !== null && void actions.act({ name: 'take-proposal' }),
    recall: () => void actions.recall().then((isTaken) => isTaken && setOpen('editor')),
    ask: () => void actions.ask(),
    overrule: () => segment.blocked && mayReview && setOpen('overrule'),
    history: () => setOpen('history'),
    comments: () => setOpen('comments'),
  };
  const press = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLTextAreaElement && !event.target.closest('dialog');
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const command = commandOf(event);
    if (isField && isSent && open !== 'overrule') void accept();
    else if (isField && event.key === 'Escape') close();
    else if (command && commands[command]) commands[command]();
    else return;
    event.preventDefault();
  };
  return { open, setOpen, close, run: (command) => commands[command]?.(), press };
}
