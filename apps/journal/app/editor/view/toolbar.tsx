import {
  Bold,
  CircleQuestionMark,
  FileCode,
  Italic,
  Redo2,
  Subscript,
  Superscript,
  Undo2,
} from 'lucide-react';
import { toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { MarkType } from 'prosemirror-model';
import type { Command } from 'prosemirror-state';
import type { KeyboardEvent, Ref } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { ScrollingRow } from '../../ui/scrolling-row.tsx';
import type { BlockStyle } from '../commands/blocks.ts';
import { SHORTCUTS } from '../commands/keymap.ts';
import { schema } from '../document/schema.ts';
import { useEditorMessages } from '../load-editor-messages.ts';
import { type ActionName, removeFigure, tieToMark } from './actions.ts';
import type { EditorDialog } from './editor-dialogs.tsx';
import type { EditorStatus } from './editor-view.ts';
import { ActionIcon } from './icons.tsx';
import { InsertMenu } from './insert-menu.tsx';
import { TableButtons } from './table-buttons.tsx';
import { ToolButton } from './tool-button.tsx';

interface ToolbarProps {
  /** The id of the text. */
  controls: string;
  status: EditorStatus | null;
  isSource: boolean;
  readOnly: boolean;
  /** The letters of marks that words can be tied to. */
  letters: readonly string[];
  isOffered(name: ActionName): boolean;
  onAct(name: ActionName): void;
  onRun(command: Command): void;
  onDialog(dialog: EditorDialog): void;
  onSource(): void;
  /** Called when Escape leads back to the text. */
  onLeave(): void;
  ref: Ref<HTMLDivElement>;
}

const STYLES = ['paragraph', 'heading2', 'heading3', 'heading4', 'code'] as const;
const MARKS = { strong: Bold, em: Italic, sup: Superscript, sub: Subscript } as const;

/** The buttons above the text. Tab reaches one of them, the arrows the others, and Escape the text. */
export function Toolbar({
  ref,
  status,
  isSource,
  readOnly,
  letters,
  onRun,
  onAct,
  onDialog,
  ...props
}: ToolbarProps) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const mark = (name: keyof typeof MARKS) => {
    const Icon = MARKS[name];
    return (
      <ToolButton
        key={name}
        label={m[name]}
        shortcut={SHORTCUTS[name]}
        pressed={status?.[name] ?? false}
        disabled={readOnly || isSource}
        onPress={() => onRun(toggleMark(schema.marks[name] as MarkType))}
      >
        <Icon aria-hidden="true" className="size-4" />
      </ToolButton>
    );
  };
  const block = (name: 'link' | 'bullet' | 'ordered' | 'quote') => (
    <ToolButton
      key={name}
      label={m.actions[name]}
      shortcut={SHORTCUTS[name]}
      pressed={status?.[name] ?? false}
      disabled={readOnly || isSource}
      onPress={() => onAct(name)}
    >
      <ActionIcon name={name} />
    </ToolButton>
  );
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label={m.toolbar}
      aria-controls={props.controls}
      onKeyDown={(event) => moveWithin(event, props.onLeave)}
      className="sticky top-[4.5rem] z-20 rounded-t-xs border-b border-hairline bg-raised print:hidden max-sm:top-0"
    >
      <ScrollingRow className="flex flex-wrap items-center gap-0.5 p-1 max-sm:w-max max-sm:flex-nowrap">
        <select
          aria-label={m.style}
          title={m.style}
          tabIndex={0}
          disabled={readOnly || isSource || status?.style === null}
          value={status?.style ?? 'paragraph'}
          onChange={({ target }) => onAct(target.value as BlockStyle)}
          className="min-h-(--target) shrink-0 rounded-xs border border-transparent bg-transparent px-2 text-sm hover:border-field disabled:opacity-55"
        >
          {STYLES.map((style) => (
            <option key={style} value={style}>
              {m.actions[style]}
            </option>
          ))}
        </select>
        {mark('strong')}
        {mark('em')}
        {mark('sup')}
        {mark('sub')}
        {block('link')}
        {letters.length > 0 && (
          <select
            aria-label={m.tieToMark}
            title={m.tieToMark}
            tabIndex={-1}
            disabled={readOnly || isSource}
            value={status?.passage ?? ''}
            onChange={({ target }) => onRun(tieToMark(target.value))}
            className="min-h-(--target) shrink-0 rounded-xs border border-transparent bg-transparent px-2 text-sm hover:border-field disabled:opacity-55"
          >
            <option value="">{m.noMark}</option>
            {letters.map((letter) => (
              <option key={letter} value={letter}>
                {m.mark(letter)}
              </option>
            ))}
          </select>
        )}
        {block('bullet')}
        {block('ordered')}
        {block('quote')}
        <InsertMenu disabled={readOnly || isSource} isOffered={props.isOffered} onAct={onAct} />
        <ToolButton
          label={m.undo}
          shortcut={SHORTCUTS.undo}
          disabled={readOnly || isSource || !status?.canUndo}
          onPress={() => onRun(undo)}
        >
          <Undo2 aria-hidden="true" className="size-4" />
        </ToolButton>
        <ToolButton
          label={m.redo}
          shortcut={SHORTCUTS.redo}
          disabled={readOnly || isSource || !status?.canRedo}
          onPress={() => onRun(redo)}
        >
          <Redo2 aria-hidden="true" className="size-4" />
        </ToolButton>
        <ToolButton label={isSource ? m.fromSource : m.source} pressed={isSource} onPress={props.onSource}>
          <FileCode aria-hidden="true" className="size-4" />
        </ToolButton>
        <ToolButton label={m.help} onPress={() => onDialog({ name: 'help' })}>
          <CircleQuestionMark aria-hidden="true" className="size-4" />
        </ToolButton>
      </ScrollingRow>
      {status?.inTable && !isSource && !readOnly && <TableButtons align={status.align} onRun={onRun} />}
      {status?.inFigure && !isSource && !readOnly && (
        <div className="flex flex-wrap gap-0.5 border-t border-hairline p-1">
          <ToolButton label={m.picture.edit} onPress={() => onDialog({ name: 'figure' })}>
            {m.picture.edit}
          </ToolButton>
          <ToolButton label={m.picture.remove} onPress={() => onRun(removeFigure)}>
            {m.picture.remove}
          </ToolButton>
        </div>
      )}
    </div>
  );
}

/** Moves the focus among the buttons of a toolbar, of which Tab reaches the first, or among those of its open menu. */
function moveWithin(event: KeyboardEvent<HTMLElement>, leave: () => void): void {
  const { currentTarget, target, key } = event;
  const menu = currentTarget.querySelector(':popover-open');
  if (key === 'Escape') {
    // The browser closes the menu, and its button has the focus again.
    if (menu) return;
    event.preventDefault();
    leave();
    return;
  }
  const all = [
    ...(menu ?? currentTarget).querySelectorAll<HTMLElement>(
      'button:not(:disabled, [aria-hidden]), select:not(:disabled)',
    ),
  ];
  const buttons = all.filter((one) => one.offsetParent !== null);
  const at = buttons.indexOf(target as HTMLElement);
  const isSelect = (target as HTMLElement).tagName === 'SELECT';
  const forward = key === 'ArrowRight' || (menu && key === 'ArrowDown');
  const backward = key === 'ArrowLeft' || (menu && key === 'ArrowUp');
  if (!(forward || backward) || (isSelect && !(key === 'ArrowRight' || key === 'ArrowLeft'))) return;
  event.preventDefault();
  const next = forward ? at + 1 : Math.max(at, 0) - 1;
  buttons.at(next % buttons.length)?.focus();
}
