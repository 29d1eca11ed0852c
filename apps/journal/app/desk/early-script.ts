/** Matches the desk of a post, with its id. */
export const DESK_PATH = /^\/admin\/posts\/([^/]+)$/;

declare global {
  interface Window {
    /** The response to the request that `EARLY_DESK_SCRIPT` has sent. */
    earlyPost?: Promise<Response>;
  }
}

/**
 * The script runs in the head of a post's desk. It asks for the post while the page's modules load, with the access token that
 * this browser has stored and that is good for another minute. Until `showFonts`, the page has its fallback fonts: the files
 * of the others would share a phone's connection with the modules.
 */
export const EARLY_DESK_SCRIPT = `{let d=document.documentElement.dataset;d.fonts='later';try{let p=d.project,t=JSON.parse(localStorage.getItem('fabrica_tokens_'+p));if(t&&d.session===undefined&&t.issued_at+t.expires_in>Date.now()/1e3+60){earlyPost=fetch('/api/desk/'+encodeURIComponent(p)+'/posts/'+location.pathname.split('/')[3],{headers:{authorization:'Bearer '+t.access_token}});earlyPost.catch(()=>{})}}catch{}}`;

/** Has the page use its own fonts from now on. */
export function showFonts(): void {
  delete document.documentElement.dataset.fonts;
}
