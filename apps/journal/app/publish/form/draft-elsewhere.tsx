import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import type { DraftTab } from '../draft/draft-tab.ts';

/** Says that another tab edits the draft. Offers to write another post here, or to take this one over. */
export function DraftElsewhere({ tab }: { tab: DraftTab }) {
  const { m } = useLanguage();
  const texts = m.publish.otherTab;
  const [isRefused, setRefused] = useState(false);
  const takeOver = async () => setRefused(!(await tab.takeOver()));
  return (
    <section className="grid max-w-2xl gap-3 border-y border-hairline py-6">
      <h2 className="font-serif text-2xl leading-tight">{texts.title}</h2>
      <p className="text-muted leading-relaxed">{texts.description}</p>
      <p role="alert" className="text-accent empty:hidden">
        {isRefused && m.publish.failure.elsewhere}
      </p>
      <div className="mt-2 flex flex-wrap gap-3">
        <Button onClick={() => void tab.openAnother()}>{texts.another}</Button>
        <Button variant="outline" onClick={() => void takeOver()}>
          {texts.takeOver}
        </Button>
      </div>
    </section>
  );
}
