declare module '@mozilla/readability/JSDOMParser.js' {
  /** The tree that Readability was first made for, and by far the quickest for it; it reads well-formed markup alone. */
  class JSDOMParser {
    /** What was wrong with the markup, a line each. */
    errorState: string;
    parse(markup: string, url?: string): Document;
  }
  export = JSDOMParser;
}
