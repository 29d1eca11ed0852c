/** Stores a comment while it is written, for this tab only. */
export interface CommentDraft {
  read(): string;
  write(text: string): void;
}

export function createCommentDraft(postId: string): CommentDraft {
  const key = `fabrica_comment_${postId}`;
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
