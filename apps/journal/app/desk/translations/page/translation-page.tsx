import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { useClient } from '../../../client/client-context.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { JobProgress } from '../release/job-progress.tsx';
import { useReleaseActions } from '../release/use-release-actions.tsx';
import { countSegments, listSegments, needsPerson, type SegmentFilter } from '../segment-states.ts';
import { SegmentRow } from '../segments/segment-row.tsx';
import type { SegmentStep } from '../segments/use-segment-commands.ts';
import type { TranslationName } from '../translations-client.ts';
import { FindBar } from './find-bar.tsx';
import { commandOf } from './keys.ts';
import { KeysHelp } from './keys-help.tsx';
import { SegmentFilters } from './segment-filters.tsx';
import { SegmentSteps } from './segment-steps.tsx';
import { TranslationHeader } from './translation-header.tsx';
import { useAskAfterReview } from './use-ask-after-review.ts';
import type { ShownTranslation } from './use-translation.ts';

interface TranslationPageProps {
  userId: string;
  name: TranslationName;
  shown: ShownTranslation;
  onSegment(segment: TranslatedSegment): void;
  /** Called after changes that the state of the language may follow from. */
  onChanged(): void;
}

/** Shows the original and a translation side by side, segment by segment, to be reviewed by the keyboard. */
export function TranslationPage({ userId, name, shown, onSegment, onChanged }: TranslationPageProps) {
  const texts = useDeskMessages().translations;
  const mayReview = useClient().auth.can('translations.review');
  const { overview, translation } = shown;
  const { segments } = translation;
  const [filter, setFilter] = useState<SegmentFilter>();
  /** Segments that were acted on stay in sight, although their state is another one now. */
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const [helps, setHelps] = useState(false);
  const [search, setSearch] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const release = useReleaseActions({ name, onChanged });
  const { found, listed } = listSegments(segments, { search, filter, touched });
  const first = listed.find(needsPerson) ?? listed[0];
  const open = listed.find(({ id }) => id === current) ?? first;
  const title = segments.find(({ part }) => part === 'title');

  const focus = (segment: TranslatedSegment | undefined) => {
    const id = segment && CSS.escape(segment.id);
    list.current?.querySelector<HTMLElement>(`[data-segment="${id}"]`)?.focus();
  };
  const { hash } = useLocation();
  const openNamed = useEffectEvent((fragment: string) => {
    if (fragment) focus(segments.find(({ id }) => id === fragment.slice(1)));
  });
  // A report links to the segment that it is about, which is not there yet when the browser looks for it.
  useEffect(() => openNamed(hash), [hash]);
  const move = (from: string | undefined, to: SegmentStep) => {
    const place = listed.findIndex(({ id }) => id === from);
    if (to === 'next') return focus(listed[place + 1] ?? listed[place]);
    if (to === 'previous') return focus(listed[Math.max(place - 1, 0)]);
    const others = [...listed.slice(place + 1), ...listed.slice(0, Math.max(place, 0))];
    focus(others.find(needsPerson) ?? listed[place]);
  };
  const press = (event: KeyboardEvent) => {
    const command = commandOf(event);
    if (command === 'help') setHelps(true);
    else if (command === 'release') release.ask('release');
    else if (command === 'find') document.getElementById(FIND_ID)?.focus();
    else if (command === 'filter') document.getElementById(FILTERS_ID)?.querySelector('button')?.focus();
    else return;
    event.preventDefault();
  };
  const choose = (chosen: SegmentFilter | undefined) => {
    setFilter(chosen);
    setTouched(new Set());
  };
  const look = (words: string) => {
    setSearch(words);
    setTouched(new Set());
  };
  const counts = countSegments(segments);
  const noteReview = useAskAfterReview(translation, counts.person, () => release.ask('release'));
  const change = (segment: TranslatedSegment) => {
    noteReview(segment);
    setTouched((before) => (before.has(segment.id) ? before : new Set([...before, segment.id])));
    onSegment(segment);
    onChanged();
  };
  return (
    <>
      <TranslationHeader
        name={name}
        title={title?.source.trim() || texts.untitled}
        overview={overview}
        translation={translation}
        waiting={counts.person}
        release={release}
        onHelp={() => setHelps(true)}
        onReview={() => focus(listed.find(needsPerson) ?? listed[0])}
        onChanged={onChanged}
      />
      <JobProgress postId={name.postId} job={overview.job} onProgress={onChanged} />
      <SegmentFilters
        id={FILTERS_ID}
        total={segments.length}
        counts={counts}
        filter={filter}
        onChoose={choose}
      />
      <FindBar
        id={FIND_ID}
        name={name}
        segments={segments}
        search={search}
        found={found}
        onSearch={look}
        onSegment={change}
      />
      {listed.length === 0 && !search && <p className="py-10 text-lg text-muted">{texts.noMatch}</p>}
      <h2 className="sr-only">{texts.list}</h2>
      <ol ref={list} onKeyDown={press}>
        {listed.map((segment) => (
          <li key={segment.id}>
            <SegmentRow
              userId={userId}
              name={name}
              source={overview.source}
              segment={segment}
              number={segment.position + 1}
              isCurrent={segment.id === open?.id}
              mayReview={mayReview}
              onCurrent={() => setCurrent(segment.id)}
              onSegment={change}
              onMove={(to) => move(segment.id, to)}
            />
          </li>
        ))}
      </ol>
      {open && (
        <SegmentSteps
          place={listed.indexOf(open) + 1}
          count={listed.length}
          waiting={listed.filter(needsPerson).length}
          onMove={(to) => move(open.id, to)}
        />
      )}
      {helps && <KeysHelp onClose={() => setHelps(false)} />}
      {release.question}
    </>
  );
}

const FILTERS_ID = 'segment-filters';
const FIND_ID = 'segment-search';
