import { use, useEffect } from 'react';

declare global {
  interface Window {
    /** The path and the query of the page that the server has rendered, until the router follows the address. */
    pageAddress?: string | undefined;
    /** Whether another page is being loaded into this document's place. */
    isPageLeft?: boolean;
  }
}

/**
 * The script runs in the head. A reader who loads a page again and goes back before the router is there has the page of one
 * address under another, as browsers take both entries of the history for one document: the other page is loaded.
 */
export const PAGE_ADDRESS_SCRIPT = `pageAddress=location.pathname+location.search;addEventListener('popstate',()=>{if(pageAddress&&pageAddress!==location.pathname+location.search){isPageLeft=true;location.reload()}})`;

const UNTIL_LOADED = new Promise<never>(() => undefined);

/** Holds React back where another page is being loaded into this document's place. */
export function useAddressOfPage(): void {
  if (window.isPageLeft) use(UNTIL_LOADED);
  useEffect(() => {
    window.pageAddress = undefined;
  }, []);
}
