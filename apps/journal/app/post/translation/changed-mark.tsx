import { useLanguage } from '../../language/language-provider.tsx';

/** Says of a passage that its original has other words now. */
export function ChangedMark() {
  const { m } = useLanguage();
  return (
    <p role="note" className="segment-note text-accent">
      {m.post.translation.changedHere}
    </p>
  );
}
