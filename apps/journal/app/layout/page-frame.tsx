import type { ReactNode } from 'react';
import { PageViews } from '../analytics/page-views.tsx';
import { LanguageOffer } from '../language/language-offer.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { OfflineReading } from '../offline/offline-reading.tsx';
import { LimitWordsProvider } from '../ui/text-limit.tsx';
import { SiteHeader } from './header/site-header.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { NoticeAreas } from './notice-areas.tsx';
import { PageAnnouncer } from './page-announcer.tsx';
import { SiteFooter } from './site-footer.tsx';

/** Frames every screen with the header, the footer and the notification areas. */
export function PageFrame({ children }: { children: ReactNode }) {
  const { m, language } = useLanguage();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-xs bg-ink px-4 py-3 text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {m.layout.skipToContent}
      </a>
      <SiteHeader />
      <LanguageOffer />
      <NoticeAreas>
        <OfflineReading />
      </NoticeAreas>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <LimitWordsProvider value={{ language, ...m.layout.limit }}>{children}</LimitWordsProvider>
      </main>
      <SiteFooter />
      <PageAnnouncer />
      <NavigationProgress />
      <PageViews />
    </div>
  );
}
