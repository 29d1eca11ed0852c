import type { User } from '@fabrica/contract';
import { lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { AskForRole } from '../layout/ask-for-role.tsx';
import { Button } from '../ui/button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { type LoadedData, useLoadedData } from '../ui/use-loaded-data.ts';
import { ChartsSkeleton, InsightsSkeleton, TotalsSkeleton } from './insights-skeleton.tsx';
import { type InsightsData, isEmpty, loadInsightsData } from './load-insights-data.ts';
import { type InsightsMessages, loadInsightsMessages } from './load-insights-messages.ts';
import { dayOf, readRange } from './range/day-range.ts';
import { formatRange } from './range/format-range.ts';
import { RangeControls, type RangeControlsProps } from './range/range-controls.tsx';
import { Totals } from './totals.tsx';

const importCharts = () => import('./charts/charts.tsx');
const Charts = lazy(async () => ({ default: (await importCharts()).Charts }));

/** Shows the insights of the range in the URL to a user. */
export function InsightsScreen({ user }: { user: User }) {
  const client = useClient();
  const [query] = useSearchParams();
  const [today] = useState(() => dayOf(Date.now()));
  const requested = readRange(query, today);
  const choosesScope = client.auth.can('insights.all');
  const scope = choosesScope && query.get('scope') !== 'own' ? 'all' : 'own';
  const { from, to, problem } = requested;
  const loaded = useLoadedData(problem ? undefined : `${from} ${to} ${scope}`, () =>
    loadInsightsData(client, { from, to, scope, userId: user.id }),
  );
  // Loads the charts together with their data. `lazy` reports a failure when they are shown.
  useEffect(() => void importCharts().catch(() => undefined), []);
  return (
    <Suspense fallback={<InsightsSkeleton />}>
      <Dashboard
        requested={requested}
        today={today}
        scope={choosesScope ? scope : undefined}
        loaded={loaded}
      />
    </Suspense>
  );
}

interface LoadedProps {
  loaded: LoadedData<InsightsData>;
}

function Dashboard({ loaded, ...choice }: Omit<RangeControlsProps, 'texts'> & LoadedProps) {
  const { language, m } = useLanguage();
  const texts = use(loadInsightsMessages(language));
  const { requested } = choice;
  const { status } = loaded;
  const announced =
    status === 'loading' ? texts.loading : texts.shown(formatRange(requested, 'long', language));
  return (
    <div className="grid grid-cols-1 gap-12">
      <RangeControls {...choice} texts={texts} />
      {!requested.problem && (
        <>
          <p role="status" className="sr-only">
            {status !== 'failed' && announced}
          </p>
          {status === 'failed' ? (
            <div role="alert" className="grid justify-items-start gap-4">
              <p className="text-lg">{texts.failed}</p>
              <Button variant="outline" onClick={loaded.reload}>
                {m.layout.tryAgain}
              </Button>
            </div>
          ) : (
            <Results loaded={loaded} texts={texts} />
          )}
        </>
      )}
    </div>
  );
}

/** Shows totals and charts, or a statement when there is nothing to count. */
function Results({ loaded: { data, status }, texts }: LoadedProps & { texts: InsightsMessages }) {
  const { auth } = useClient();
  if (!data) {
    return (
      <>
        <TotalsSkeleton />
        <ChartsSkeleton />
      </>
    );
  }
  if (!data.hasPosts) {
    return auth.can('posts.create') ? (
      <Statement title={texts.noPosts.title} text={texts.noPosts.text}>
        <Link to="/admin" className={`${buttonClass()} mt-3`}>
          {texts.noPosts.create}
        </Link>
      </Statement>
    ) : (
      <AskForRole />
    );
  }
  return (
    <div
      aria-busy={status === 'loading'}
      className="grid grid-cols-1 gap-12 transition-opacity aria-busy:opacity-55 motion-reduce:transition-none"
    >
      <Totals data={data} texts={texts} />
      {isEmpty(data.insights) ? (
        <Statement title={texts.empty.title} text={texts.empty.text} />
      ) : (
        <Suspense fallback={<ChartsSkeleton />}>
          <Charts data={data} texts={texts} />
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
