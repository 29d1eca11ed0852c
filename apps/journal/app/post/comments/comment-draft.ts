/** A comment that is being written, kept for this tab until it is posted. */
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
        // Storage is closed to us: the field alone keeps it.
        return;
      }
    },
  };
}
