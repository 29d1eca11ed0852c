import { COMPLETED_READ } from '@fabrica/contract';
import { useEffect, useRef } from 'react';
import { useClient } from '../client/client-context.tsx';

/** Marks the end of a text. Logs one completed read when the end is in view and the text was open long enough to be read. */
export function ReadingEnd({ words }: { words: number }) {
  const { analytics } = useClient();
  const end = useRef<HTMLDivElement>(null);
  const isRead = useRef(false);
  const needed = minReadingSeconds(words);
  useEffect(() => {
    if (!end.current || isRead.current) return;
    let inView = false;
    let seconds = 0;
    const observer = new IntersectionObserver((entries) => {
      inView = entries.at(-1)?.isIntersecting ?? false;
    });
    const stop = () => {
      observer.disconnect();
      clearInterval(timer);
    };
    const timer = setInterval(() => {
      // A page in a background tab is not being read.
      if (document.visibilityState === 'visible') seconds += 1;
      if (seconds < needed || !inView) return;
      isRead.current = true;
      analytics.log(COMPLETED_READ);
      stop();
    }, 1_000);
    observer.observe(end.current);
    return stop;
  }, [analytics, needed]);
  return <div ref={end} aria-hidden="true" />;
}

/** Returns the seconds after which a text can have been read: a quarter of the time at 200 words a minute, at least 5. */
export function minReadingSeconds(words: number): number {
  return Math.max(5, Math.ceil((words / 200) * 60 * 0.25));
}
