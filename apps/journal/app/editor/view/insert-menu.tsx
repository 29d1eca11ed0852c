import { Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';
import { type ActionName, COMMANDS, MENU_ACTIONS } from './actions.ts';
import { ActionIcon } from './icons.tsx';

interface InsertMenuProps {
  disabled: boolean;
  isOffered(name: ActionName): boolean;
  onAct(name: ActionName): void;
}

/** The same choices as after a `/`, for those who would rather press a button. */
export function InsertMenu({ disabled, isOffered, onAct }: InsertMenuProps) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const anchor = `--insert-${id.replaceAll(/\W/g, '')}`;
  const choose = (name: ActionName) => {
    popover.current?.hidePopover();
    onAct(name);
  };
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        popoverTarget={id}
        disabled={disabled}
        style={{ anchorName: anchor }}
        className="inline-flex min-h-(--target) shrink-0 items-center gap-1 rounded-xs border border-transparent px-2 text-sm hover:border-field disabled:opacity-45"
      >
        <Plus aria-hidden="true" className="size-4" />
        {m.insert}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="anchored-menu overflow-y-auto rounded-xs py-1"
      >
        {MENU_ACTIONS.filter(
          (name) => isOffered(name) && (COMMANDS[name] !== undefined || isDialog(name)),
        ).map((name) => (
          <button
            key={name}
            type="button"
            tabIndex={-1}
            onClick={() => choose(name)}
            className="flex min-h-11 w-full items-center gap-3 px-4 text-start text-sm hover:bg-hairline"
          >
            <ActionIcon name={name} />
            {m.actions[name]}
          </button>
        ))}
      </div>
    </>
  );
}

function isDialog(name: ActionName): boolean {
  return name === 'picture' || name === 'reference';
}
