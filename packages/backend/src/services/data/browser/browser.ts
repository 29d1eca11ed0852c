export interface Shot {
  /** An http(s) address. */
  url: string;
  fullPage: boolean;
  /** CSS pixels, both. */
  width: number;
  height: number;
}

/** A browser that shows pages of the public internet, and reaches nothing else. */
export interface Browser {
  /**
   * A picture of the page, as PNG. Throws BROWSER_NOT_AVAILABLE where none is installed, ADDRESS_REFUSED, FETCH_FAILED
   * when the page does not come, FETCH_TIMEOUT, the signal's reason.
   */
  screenshot(shot: Shot, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}
