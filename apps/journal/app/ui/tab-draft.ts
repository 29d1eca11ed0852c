/** Stores a text while it is written, for this tab only. */
interface TabDraft {
  read(): string;
  write(text: string): void;
}

/** Creates the draft of that name, such as `comment_post_1`. */
export function createTabDraft(name: string): TabDraft {
  const key = `fabrica_${name}`;
  return {
    read() {
      try {
        return sessionStorage.getItem(key) ?? '';
      } catch {
        return '';
      }
    },
    write(text) {
      try {
        if (text) sessionStorage.setItem(key, text);
        else sessionStorage.removeItem(key);
      } catch {
        // Only the field holds the text where the browser blocks storage.
        return;
      }
    },
  };
}
