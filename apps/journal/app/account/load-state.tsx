import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export interface LoadStateProps {
  status: 'loading' | 'failed' | 'ready';
  loading: string;
  failed: string;
  /** Height of what is waited for. */
  className: string;
  onTryAgain: () => void;
}

/** What stands in a section until there is something to show: the wait, or the failure and another try. */
export function LoadState({ status, loading, failed, className, onTryAgain }: LoadStateProps) {
  const { m } = useLanguage();
  if (status === 'ready') return null;
  if (status === 'loading') {
    return (
      <div role="status">
        <span className="sr-only">{loading}</span>
        <Skeleton className={className} />
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p role="alert" className="text-accent">
        {failed}
      </p>
      <Button variant="outline" size="small" onClick={onTryAgain}>
        {m.layout.tryAgain}
      </Button>
    </div>
  );
}
