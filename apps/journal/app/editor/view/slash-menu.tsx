import type { EditorView } from 'prosemirror-view';
import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { type EditorMessages, useEditorMessages } from '../load-editor-messages.ts';
import type { SlashQuery } from '../plugins/slash-menu.ts';
import { type ActionName, MENU_ACTIONS } from './actions.ts';
import { ActionIcon } from './icons.tsx';

export interface SlashMenuHandle {
  /** Returns whether the menu has taken the key. */
  onKey(event: KeyboardEvent): boolean;
}

interface SlashMenuProps {
  id: string;
  view: EditorView | undefined;
  query: SlashQuery | null;
  isOffered(name: ActionName): boolean;
  onChoose(name: ActionName): void;
  ref: Ref<SlashMenuHandle>;
}

/** Offers what can be put into the text, below the `/` that was typed. The cursor stays in the text. */
export function SlashMenu({ id, view, query, isOffered, onChoose, ref }: SlashMenuProps) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const found = query ? findActions(query.text, m).filter(isOffered) : [];
  const index = Math.min(chosen, found.length - 1);
  const active = found[index];

  const onKey = (event: KeyboardEvent): boolean => {
    if (!query || found.length === 0 || event.isComposing) return false;
    if (event.key === 'ArrowDown') setChosen((index + 1) % found.length);
    else if (event.key === 'ArrowUp') setChosen((index + found.length - 1) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') {
      if (active) onChoose(active);
      setChosen(0);
    } else return false;
    return true;
  };
  useImperativeHandle(ref, () => ({ onKey }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter chooses the first action anew
  useLayoutEffect(() => setChosen(0), [query?.text]);
  useLayoutEffect(() => {
    if (!query || !view || !list.current) return;
    place(list.current, view.coordsAtPos(query.from));
    list.current.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });
  useLayoutEffect(() => {
    const name = query && active ? `${id}-${active}` : null;
    if (name) view?.dom.setAttribute('aria-activedescendant', name);
    else view?.dom.removeAttribute('aria-activedescendant');
  }, [id, query, active, view]);

  if (!query) return <p aria-live="polite" className="sr-only" />;
  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={m.insert}
        tabIndex={-1}
        className="fixed z-40 max-h-72 w-64 overflow-y-auto rounded-xs border border-hairline bg-raised py-1 shadow-xl"
      >
        {found.map((name) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys reach the menu through the text
          <div
            key={name}
            id={`${id}-${name}`}
            role="option"
            tabIndex={-1}
            aria-selected={name === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(name)}
            className="flex min-h-11 cursor-pointer items-center gap-3 px-3 text-sm hover:bg-hairline aria-selected:bg-hairline aria-selected:outline-1 aria-selected:-outline-offset-1 aria-selected:outline-field"
          >
            <ActionIcon name={name} />
            {m.actions[name]}
          </div>
        ))}
        {found.length === 0 && <div className="px-3 py-2 text-sm text-muted">{m.menu.none}</div>}
      </div>
      <p aria-live="polite" className="sr-only">
        {found.length === 0
          ? m.menu.none
          : `${m.menu.count(found.length)}. ${active ? m.actions[active] : ''}`}
      </p>
    </>
  );
}

/** Returns the actions whose name or further words begin with what was typed, or contain it. */
function findActions(typed: string, m: EditorMessages): ActionName[] {
  const wanted = fold(typed);
  const keywords: Partial<Record<ActionName, string>> = m.keywords;
  const words = (name: ActionName) => fold(`${m.actions[name]} ${keywords[name] ?? ''} ${name}`);
  // What begins so, then what has a word that does, then all else that has these letters.
  const rank = (name: ActionName) =>
    fold(m.actions[name]).startsWith(wanted) ? 0 : ` ${words(name)}`.includes(` ${wanted}`) ? 1 : 2;
  return MENU_ACTIONS.filter((name) => words(name).includes(wanted)).sort(
    (one, other) => rank(one) - rank(other),
  );
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Puts the list below the line, or above it where there is more room. */
function place(
  list: HTMLElement,
  { left, top, bottom }: { left: number; top: number; bottom: number },
): void {
  const { offsetWidth: width, offsetHeight: height } = list;
  const room = window.visualViewport?.height ?? window.innerHeight;
  const above = bottom + height > room && top > height;
  list.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  list.style.top = `${above ? top - height - 4 : bottom + 4}px`;
}
