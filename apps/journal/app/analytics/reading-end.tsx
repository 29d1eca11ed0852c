import { COMPLETED_READ } from '@fabrica/contract';
import { useEffect, useRef } from 'react';
import { useClient } from '../client/client-context.tsx';

/** Stands where a text ends. The text counts as read, once, when its end is seen after the time that it takes to read. */
export function ReadingEnd({ text }: { text: string }) {
  const { analytics } = useClient();
  const end = useRef<HTMLDivElement>(null);
  const isRead = useRef(false);
  const needed = leastReadingSeconds(text);
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
      // A page in the background is not being read.
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

/** Seconds that a text must have been open for, to be taken as read: a quarter of what 200 words a minute need. */
export function leastReadingSeconds(text: string): number {
  const words = text.split(/\s+/).filter(Boolean).length;
  return Math.max(5, Math.ceil((words / 200) * 60 * 0.25));
}
