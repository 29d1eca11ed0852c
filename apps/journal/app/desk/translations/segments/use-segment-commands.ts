import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { commandOf, type KeyCommand } from '../page/keys.ts';
import { needsReason } from '../segment-states.ts';
import type { SegmentActions } from './use-segment-actions.ts';

/** Names what is open in a segment, if anything is. */
type SegmentPanel = 'editor' | 'overrule' | 'history' | 'comments' | 'keep';
export type SegmentStep = 'next' | 'previous' | 'person';

interface UseSegmentCommandsOptions {
  segment: TranslatedSegment;
  row: RefObject<HTMLElement | null>;
  actions: SegmentActions;
  mayReview: boolean;
  /** Whether the server has what is shown, so that the findings are about it. */
  isSaved: boolean;
  /** Whether it has to be decided first which of two versions stays. */
  hasConflict: boolean;
  onMove(to: SegmentStep): void;
}

export interface SegmentCommands {
  open: SegmentPanel | undefined;
  /**
   * Closes what was open when this was rendered, and gives the focus back to the segment. An action that began in a panel
   * may end after that was closed: what was opened since stays open, and a person who went on to another segment stays there.
   */
  close(): void;
  run(command: KeyCommand): void;
  press(event: KeyboardEvent): void;
  /** Accepts an outdated text as it is, which was asked before. */
  keep(): void;
}

/** The commands that leave the text as it is. */
const WITHOUT_WRITING: ReadonlySet<KeyCommand> = new Set([
  'next',
  'previous',
  'person',
  'history',
  'comments',
]);

/** Returns what keys and buttons do with a segment. */
export function useSegmentCommands(options: UseSegmentCommandsOptions): SegmentCommands {
  const { segment, row, actions, mayReview, isSaved, hasConflict, onMove } = options;
  /** A new object each time that a panel is opened, so that a panel that was opened again is told from the first one. */
  const [opened, setOpened] = useState<{ panel: SegmentPanel }>();
  const show = (panel: SegmentPanel) => setOpened({ panel });
  /** Shows another panel, or none, in place of what was open when this was rendered. */
  const replace = (panel?: SegmentPanel) => setOpened((now) => (now === opened ? panel && { panel } : now));
  const close = () => {
    replace();
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && !row.current?.contains(activeElement);
    if (!isElsewhere) row.current?.focus();
  };
  const accept = async (isAsked = false) => {
    if (!mayReview || actions.busy) return;
    // These words translate a former original: they are not right by one key among many.
    if (segment.state === 'outdated' && segment.text !== '' && isSaved && !isAsked) return show('keep');
    const accepted = actions.accept();
    // The reviewer goes on at once, unless the numbers contradict each other.
    if (needsReason(segment) && isSaved) return void (await accepted);
    replace();
    onMove('person');
    await accepted;
  };
  const commands: Partial<Record<KeyCommand, () => void>> = {
    next: () => onMove('next'),
    previous: () => onMove('previous'),
    person: () => onMove('person'),
    accept: () => void accept(),
    edit: () => show('editor'),
    take: () =>
      segment.proposal !== null && void actions.act({ name: 'take-proposal', text: segment.proposal }),
    recall: () => void actions.recall().then((isTaken) => isTaken && replace('editor')),
    ask: () => void actions.ask(),
    overrule: () => segment.blocked && mayReview && show('overrule'),
    history: () => show('history'),
    comments: () => show('comments'),
  };
  const run = (command: KeyCommand) => {
    if (!hasConflict || WITHOUT_WRITING.has(command)) commands[command]?.();
  };
  const press = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLTextAreaElement && !event.target.closest('dialog');
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const command = commandOf(event);
    if (isField && isSent && opened?.panel !== 'overrule') void accept();
    else if (isField && event.key === 'Escape') close();
    else if (command && commands[command]) run(command);
    else return;
    event.preventDefault();
  };
  return { open: opened?.panel, close, run, press, keep: () => void accept(true) };
}
