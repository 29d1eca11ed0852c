import { useLanguage } from '../../language/language-provider.tsx';
import type { PublishPhase } from '../publishing/publisher.ts';
import { countEnded, describeProgress } from '../translation/describe-progress.ts';

export interface PublishProgressProps {
  phase: PublishPhase;
  /** How the last try to translate ended: for those who cannot see it, while nothing is under way. */
  result: string;
}

/** How far it is: a hairline that fills, and words that are also read out. */
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

/** The part of the whole way that is done: a rough share for each step; null when nothing is under way. */
function fractionOf(phase: PublishPhase): number | null {
  switch (phase.name) {
    case 'uploading':
      return 0.4 * phase.fraction;
    case 'translating': {
      const share = phase.parts.length ? countEnded(phase.parts) / phase.parts.length : 0;
      return phase.publishes ? 0.4 + 0.5 * share : share;
    }
    case 'publishing':
      return 0.95;
    default:
      return null;
  }
}
