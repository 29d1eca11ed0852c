import type { User } from '@fabrica/contract';
import { lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ChartsSkeleton, InsightsSkeleton, TotalsSkeleton } from './insights-skeleton.tsx';
import { isEmpty } from './load-insights-data.ts';
import { type InsightsMessages, loadInsightsMessages } from './load-insights-messages.ts';
import { dayOf, readRange } from './range/day-range.ts';
import { formatRange } from './range/format-range.ts';
import { RangeControls, type RangeControlsProps } from './range/range-controls.tsx';
import { Totals } from './totals.tsx';
import { type ShownFigures, useFigures } from './use-figures.ts';

const loadCharts = () => import('./charts/charts.tsx');
const Charts = lazy(async () => ({ default: (await loadCharts()).Charts }));

/** What was counted in the days of the address, for this user. */
export function InsightsScreen({ user }: { user: User }) {
  const { auth } = useClient();
  const [query] = useSearchParams();
  const [today] = useState(() => dayOf(Date.now()));
  const asked = readRange(query, today);
  const choosesScope = auth.can('insights.all');
  const scope = choosesScope && query.get('scope') !== 'own' ? 'all' : 'own';
  const shown = useFigures(asked.problem ? undefined : { ...asked, scope, userId: user.id });
  // Both are on their way at once; a failure is met where they are shown.
  useEffect(() => void loadCharts().catch(() => undefined), []);
  return (
    <Suspense fallback={<InsightsSkeleton />}>
      <Board requested={asked} today={today} scope={choosesScope ? scope : undefined} shown={shown} />
    </Suspense>
  );
}

function Board({ shown, ...choice }: Omit<RangeControlsProps, 'texts'> & { shown: ShownFigures }) {
  const { language, m } = useLanguage();
  const words = use(loadInsightsMessages(language));
  const { requested: asked } = choice;
  const { status } = shown;
  const announced = status === 'loading' ? words.loading : words.shown(formatRange(asked, 'long', language));
  return (
    <div className="grid grid-cols-1 gap-12">
      <RangeControls {...choice} texts={words} />
      {!asked.problem && (
        <>
          <p role="status" className="sr-only">
            {status !== 'failed' && announced}
          </p>
          {status === 'failed' ? (
            <div role="alert" className="grid justify-items-start gap-4">
              <p className="text-lg">{words.failed}</p>
              <Button variant="outline" onClick={shown.load}>
                {m.layout.tryAgain}
              </Button>
            </div>
          ) : (
            <Shown {...shown} words={words} />
          )}
        </>
      )}
    </div>
  );
}

/** The figures, or what there is to say where there are none. */
function Shown({ figures, status, words }: ShownFigures & { words: InsightsMessages }) {
  if (!figures) {
    return (
      <>
        <TotalsSkeleton />
        <ChartsSkeleton />
      </>
    );
  }
  if (!figures.hasPosts) {
    return (
      <Statement title={words.noPosts.title} text={words.noPosts.text}>
        <Link to="/admin" className={`${buttonClass()} mt-3`}>
          {words.noPosts.create}
        </Link>
      </Statement>
    );
  }
  return (
    <div
      aria-busy={status === 'loading'}
      className="grid grid-cols-1 gap-12 transition-opacity aria-busy:opacity-55 motion-reduce:transition-none"
    >
      <Totals data={figures} texts={words} />
      {isEmpty(figures.insights) ? (
        <Statement title={words.empty.title} text={words.empty.text} />
      ) : (
        <Suspense fallback={<ChartsSkeleton />}>
          <Charts data={figures} texts={words} />
        </Suspense>
      )}
    </div>
  );
}

function Statement({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid max-w-2xl justify-items-start gap-3 border-t border-hairline pt-7">
      <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.01em]">{title}</h2>
      <p className="text-lg leading-relaxed text-pretty text-muted">{text}</p>
      {children}
    </div>
  );
}
