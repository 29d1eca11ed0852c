import type { ReactNode } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import type { LoadedData } from '../ui/use-loaded-data.ts';

interface LoadedContentProps<T> {
  loaded: LoadedData<T>;
  texts: { loading: string; loadFailed: string };
  /** The height of the placeholder, as a class. */
  height: string;
  children(data: T): ReactNode;
}

/** Shows data of a section. Until it is loaded, shows a placeholder, or the failure and a button that tries again. */
export function LoadedContent<T>({ loaded, texts, height, children }: LoadedContentProps<T>) {
  const { m } = useLanguage();
  if (loaded.status === 'ready') return children(loaded.data);
  if (loaded.status === 'loading') {
    return (
      <div role="status">
        <span className="sr-only">{texts.loading}</span>
        <div className={`skeleton ${height}`} />
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p role="alert" className="text-accent">
        {texts.loadFailed}
      </p>
      <Button variant="outline" size="small" onClick={loaded.reload}>
        {m.layout.tryAgain}
      </Button>
    </div>
  );
}
