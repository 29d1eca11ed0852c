import { DEFAULT_LANGUAGE, isLanguage } from '../../project/languages.ts';
import { pageClient } from '../client/page-client.ts';
import { loadEditorMessages } from '../editor/load-editor-messages.ts';
import { loadEditor } from '../editor/text-editor.tsx';
import { createDeskClient, type DeskPost } from './desk-client.ts';
import { loadDeskMessages } from './load-desk-messages.ts';

/** Matches the desk of a post, with its id. */
const DESK_PATH = /^\/admin\/posts\/([^/]+)$/;

let opened: { postId: string; post: Promise<DeskPost | undefined> } | undefined;

/**
 * Asks for what the desk of a post needs, where the page begins with one: the post, the texts and the editor. React needs
 * most of a second on a phone before it could ask.
 */
export function openEarly(): void {
  const { lang, dataset } = document.documentElement;
  const postId = DESK_PATH.exec(window.location.pathname)?.[1];
  if (postId === undefined) return;
  const language = isLanguage(lang) ? lang : DEFAULT_LANGUAGE;
  // What fails is requested once more, and its failure reported, where it is used.
  const ignore = () => undefined;
  void Promise.all([loadDeskMessages(language), loadEditorMessages(language)]).catch(ignore);
  // A session that the server keeps has not come to this browser yet.
  const post =
    dataset.session === undefined
      ? createDeskClient(pageClient()).read(postId).catch(ignore)
      : Promise.resolve(undefined);
  if (dataset.session === undefined) opened = { postId, post };
  // The editor is large, and would keep the post waiting.
  void post.then(loadEditor).catch(ignore);
}

/** Returns the post that was asked for, once; `undefined` for any other, and for one that did not come. */
export async function takeOpened(postId: string): Promise<DeskPost | undefined> {
  const taken = opened;
  opened = undefined;
  return taken?.postId === postId ? taken.post : undefined;
}

/** Forgets the post that was asked for: who comes back to it may be signed in to another account. */
export function forgetOpened(): void {
  opened = undefined;
}
