import { useLanguage } from '../../language/language-provider.tsx';
import type { PublishPhase } from '../publishing/post-publisher.ts';
import { countSettled, describeProgress } from '../translation/describe-translations.ts';

export interface PublishProgressProps {
  phase: PublishPhase;
  /** The result of the last translation, which screen readers announce while nothing is in progress. */
  result: string;
}

/** Shows the progress of a publish: a line that fills, and words that screen readers announce. */
export function PublishProgress({ phase, result }: PublishProgressProps) {
  const { m } = useLanguage();
  const { uploading, publishing } = m.publish;
  const share = fractionOf(phase);
  const words = {
    idle: result,
    'session-ended': '',
    uploading,
    translating: phase.name === 'translating' ? describeProgress(phase.parts, m) : '',
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

/** Returns the completed share of all work, with a rough share for each step, or `null` when nothing is in progress. */
function fractionOf(phase: PublishPhase): number | null {
  switch (phase.name) {
    case 'uploading':
      return 0.4 * phase.fraction;
    case 'translating': {
      const share = phase.parts.length ? countSettled(phase.parts) / phase.parts.length : 0;
      return phase.publishes ? 0.4 + 0.5 * share : share;
    }
    case 'publishing':
      return 0.95;
    default:
      return null;
  }
}
