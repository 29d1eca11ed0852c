import { CircleAlert, CircleCheck, CircleQuestionMark, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { useDeskMessages, useTimes } from '../../use-desk.ts';

import { describeDifference, describeFinding } from './describe-finding.ts';

const LOOKS = {
  block: { Icon: CircleAlert, color: 'text-accent' },
  doubt: { Icon: CircleQuestionMark, color: 'text-ink' },
  warning: { Icon: TriangleAlert, color: 'text-muted' },
  cleared: { Icon: CircleCheck, color: 'text-muted' },
} as const;

interface LineProps {
  look: keyof typeof LOOKS;
  /** Says how severe it is, or who has found it. */
  lead: string;
  children: ReactNode;
}

function Line({ look, lead, children }: LineProps) {
  const { Icon, color } = LOOKS[look];
  return (
    <li className={`flex items-start gap-1.5 ${color}`}>
      <Icon aria-hidden="true" className="mt-1 size-4 shrink-0" />
      <span>
        <span className="font-medium">{lead}</span> {children}
      </span>
    </li>
  );
}

/** Says in sentences what the guard and the second reader have found in a segment, and who has overruled it. */
export function FindingList({ segment }: { segment: TranslatedSegment }) {
  const { findings, reading, overruled, state, blocked } = segment;
  const texts = useDeskMessages().translations;
  const times = useTimes();
  if (findings.length === 0 && !reading) return null;
  // Of a machine's text that nothing holds, the second reader has cleared each doubt.
  const isCleared = state === 'machine' && !blocked && !overruled;
  return (
    <div className="grid gap-1.5 text-[0.9375rem]">
      <ul className="grid gap-1.5">
        {findings.map((finding) => {
          const key = `${finding.kind} ${finding.source?.start} ${finding.target?.start}`;
          const severity = overruled ? 'warning' : finding.severity;
          const look = severity === 'doubt' && isCleared ? 'cleared' : severity;
          const lead = look === 'cleared' ? texts.reader.cleared : texts.findings[look];
          return (
            <Line key={key} look={look} lead={lead}>
              {describeFinding(finding, texts)}
            </Line>
          );
        })}
        {reading?.differences.map((difference) => (
          <Line
            key={`${difference.kind} ${difference.source?.start} ${difference.target?.start} again`}
            look={overruled ? 'warning' : 'doubt'}
            lead={texts.reader.says(reading.model)}
          >
            {describeDifference(difference, texts)}
          </Line>
        ))}
        {reading?.differences.length === 0 && (
          <Line look="cleared" lead={texts.reader.says(reading.model)}>
            {texts.reader.same}
          </Line>
        )}
      </ul>
      {overruled && (
        <p className="text-muted">
          {texts.overrule.by(overruled.by.name, times.full(overruled.at))} {overruled.reason}
        </p>
      )}
    </div>
  );
}
