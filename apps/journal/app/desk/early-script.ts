import type { DeskPost } from './desk-client.ts';

/** Matches the desk of a post, with its id. */
export const DESK_PATH = /^\/admin\/posts\/([^/]+)$/;

/** The id of the text area that takes words before the page's scripts are there (`editor/early-text.tsx`). */
export const EARLY_TEXT_ID = 'early-text';

declare global {
  interface Window {
    /** The post that `EARLY_DESK_SCRIPT` has asked for; `undefined` where it is refused. */
    earlyPost?: Promise<DeskPost | undefined>;
  }
}

/**
 * The script runs in the head of a post's desk. It asks for the post while the page's modules load, with the access token that
 * this browser has stored and that is good for another minute, and opens the text area with the text that has come: not where
 * nothing may be written, where another program has changed the post, or where this browser has a copy that the server has not.
 * Until `showFonts`, the page has its fallback fonts: the files of the others would share a phone's connection with the modules.
 */
export const EARLY_DESK_SCRIPT = `{let d=document.documentElement.dataset;d.fonts='later';try{let p=d.project,t=JSON.parse(localStorage.getItem('fabrica_tokens_'+p));if(t&&d.session===undefined&&t.issued_at+t.expires_in>Date.now()/1e3+60){earlyPost=fetch('/api/desk/'+encodeURIComponent(p)+'/posts/'+location.pathname.split('/')[3],{headers:{authorization:'Bearer '+t.access_token}}).then(r=>r.ok?r.json():void 0);earlyPost.then(p=>{let a=document.getElementById('${EARLY_TEXT_ID}');if(a&&p&&p.can.edit&&!p.elsewhere&&!Object.keys(localStorage).some(k=>k.startsWith('fabrica_desk_')&&k.split('.')[1]===p.id)){a.value=p.document.content;a.lang=p.document.language||'';a.readOnly=false}}).catch(()=>{})}}catch{}}`;

/** Has the page use its own fonts from now on. */
export function showFonts(): void {
  delete document.documentElement.dataset.fonts;
}
