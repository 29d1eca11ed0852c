import type { Caret } from '../editor/text-editor-props.ts';
import type { DeskPost } from './desk-client.ts';

/** Matches the desk of a post, with its id. */
export const DESK_PATH = /^\/admin\/posts\/([^/]+)$/;

/** The id of the text area that takes words before the page's scripts are there (`editor/early-text.tsx`). */
export const EARLY_TEXT_ID = 'early-text';

/** The text that is open in that text area, and what has been written in it. */
export interface EarlyText {
  /** The account whose session asked for the post. */
  authorId: string;
  /** The post in the version that is written in. */
  post: DeskPost;
  /** The key in local storage under which what is written is stored until the desk has it (`saving/stored-copies.ts`). */
  key: string;
  /** The text as the area had it before anything was written: with its line breaks as LF, whatever they are in the post. */
  opened: string;
  value: string;
  /** The selection of an area that went while it had the focus, for the one that takes its place. */
  caret?: Caret | undefined;
}

declare global {
  interface Window {
    /** The post that `EARLY_DESK_SCRIPT` has asked for; `undefined` where it is refused. */
    earlyPost?: Promise<DeskPost | undefined>;
    earlyText?: EarlyText | undefined;
  }
}

/**
 * The script runs in the head of a post's desk. It asks for the post while the page's modules load, with the access token that
 * this browser has stored and that is good for another minute, and opens the text area with the text that has come: not where
 * nothing may be written, where another program has changed the post, or where this browser has a copy that the server has not.
 * It stores what is written at each key, as the desk stores its working copy: where the page is left before the desk is there,
 * the next desk of the post goes on with it, and shows both where somebody else has saved meanwhile.
 * Until `showFonts`, the page has its fallback fonts: the files of the others would share a phone's connection with the modules.
 */
export const EARLY_DESK_SCRIPT = `{
  let root = document.documentElement.dataset;
  root.fonts = 'later';
  try {
    let path = location.pathname;
    let session = JSON.parse(localStorage.getItem('fabrica_tokens_' + root.project));
    if (session && root.session === undefined && session.issued_at + session.expires_in > Date.now() / 1e3 + 60) {
      earlyPost = fetch('/api/desk/' + encodeURIComponent(root.project) + '/posts/' + path.split('/')[3], {
        headers: { authorization: 'Bearer ' + session.access_token }
      }).then(response => response.ok ? response.json() : void 0);
      earlyPost.then(post => {
        let area = document.getElementById('${EARLY_TEXT_ID}');
        let isStored = key => key.startsWith('fabrica_desk_') && key.split('.')[1] === post.id;
        if (location.pathname !== path || !area || !post.can.edit || post.elsewhere) return;
        if (Object.keys(localStorage).some(isStored)) return;
        let authorId = session.user.id;
        let key = 'fabrica_desk_' + authorId + '.' + post.id + '.' + crypto.randomUUID();
        area.value = post.document.content;
        area.lang = post.document.language || '';
        area.readOnly = false;
        earlyText = { authorId, post, key, opened: area.value, value: area.value };
      }).catch(() => {});
      addEventListener('input', ({ target }) => {
        let text = window.earlyText;
        if (!text || target.id !== '${EARLY_TEXT_ID}') return;
        let { key, post: { version, document }, opened } = text;
        let content = text.value = target.value;
        for (let base of [document, void 0]) {
          try {
            if (content === opened) localStorage.removeItem(key);
            else localStorage.setItem(key, JSON.stringify({
              version, base, document: { ...document, content }, at: Date.now()
            }));
            break;
          } catch {}
        }
      });
    }
  } catch {}
}`.replaceAll(/\n */g, ' ');

/** Has the page use its own fonts from now on. */
export function showFonts(): void {
  delete document.documentElement.dataset.fonts;
}
