declare module '@mozilla/readability/JSDOMParser.js' {
  /** The document that Readability was made for. It is the fastest one, and reads well-formed markup only. */
  class JSDOMParser {
    /** Errors in the markup, one a line. */
    errorState: string;
    parse(markup: string, url?: string): Document;
  }
  export = JSDOMParser;
}
