import { use } from 'react';
import type { editor } from '../../messages/en/editor.ts';
import type { Language } from '../../project/languages.ts';
import { loadOnce } from '../ui/load-once.ts';

export type EditorMessages = typeof editor;

/** Loads the texts of the editor, which only authors see. */
export const loadEditorMessages = loadOnce<Language, EditorMessages>({
  en: async () => (await import('../../messages/en/editor.ts')).editor,
  es: async () => (await import('../../messages/es/editor.ts')).editor,
  fr: async () => (await import('../../messages/fr/editor.ts')).editor,
  de: async () => (await import('../../messages/de/editor.ts')).editor,
});

/** Returns the texts of the editor. Suspends until they are loaded. */
export function useEditorMessages(language: Language): EditorMessages {
  return use(loadEditorMessages(language));
}
