import { useLanguage } from '../language/language-provider.tsx';
import type { PublishPhase } from './publish-post.ts';

/** How far a publish is: a hairline that fills, and words for those who cannot see it. */
export function PublishProgress({ phase }: { phase: PublishPhase }) {
  const { m } = useLanguage();
  const { uploading, translating, publishing } = m.publish;
  const share = fractionOf(phase);
  const words = {
    idle: '',
    'session-ended': '',
    uploading,
    translating:
      phase.name === 'translating'
        ? `${translating.title} ${translating.progress(phase.done, phase.total)}`
        : translating.title,
    publishing,
  }[phase.name];
  return (
    <div className={share === null ? 'sr-only' : 'grid gap-2'}>
      <p aria-live="polite" className="text-sm text-muted tabular-nums">
        {words}
      </p>
      {share !== null && (
        <div aria-hidden="true" className="h-0.5 bg-hairline">
          <div
            className="h-full origin-left bg-accent transition-transform duration-300 motion-reduce:transition-none"
            style={{ transform: `scaleX(${share})` }}
          />
        </div>
      )}
    </div>
  );
}

/** The part of the whole way that is done: a rough share for each step; null when nothing is under way. */
function fractionOf(phase: PublishPhase): number | null {
  switch (phase.name) {
    case 'uploading':
      return 0.4 * phase.fraction;
    case 'translating':
      return 0.4 + (0.5 * phase.done) / phase.total;
    case 'publishing':
      return 0.95;
    default:
      return null;
  }
}
