import { use } from 'react';
import type { editor } from '../../messages/en/editor.ts';
import type { Language } from '../language/languages.ts';
import { readablePromise } from '../ui/readable-promise.ts';

export type EditorMessages = typeof editor;

const importers: Record<Language, () => Promise<{ editor: EditorMessages }>> = {
  en: () => import('../../messages/en/editor.ts'),
  es: () => import('../../messages/es/editor.ts'),
  fr: () => import('../../messages/fr/editor.ts'),
  de: () => import('../../messages/de/editor.ts'),
};

/** The promises so far. React's `use` needs the same promise in every render. */
const requested = new Map<Language, Promise<EditorMessages>>();

/** Returns the texts of the editor. Suspends until they are loaded. */
export function useEditorMessages(language: Language): EditorMessages {
  return use(loadEditorMessages(language));
}

/** Loads the texts of the editor, which only authors see. */
export function loadEditorMessages(language: Language): Promise<EditorMessages> {
  const earlier = requested.get(language);
  if (earlier) return earlier;
  const texts = readablePromise(importers[language]().then((module) => module.editor));
  requested.set(language, texts);
  return texts;
}
