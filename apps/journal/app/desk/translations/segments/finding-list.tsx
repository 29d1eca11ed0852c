import { CircleAlert, CircleQuestionMark, TriangleAlert } from 'lucide-react';
import type { Finding, Overruling } from '../../../../project/translations.ts';
import { useDeskMessages, useTimes } from '../../use-desk.ts';

import { describeFinding } from './describe-finding.ts';

interface FindingListProps {
  findings: readonly Finding[];
  overruled: Overruling | null;
}

const LOOKS = {
  block: { Icon: CircleAlert, color: 'text-accent' },
  doubt: { Icon: CircleQuestionMark, color: 'text-ink' },
  warning: { Icon: TriangleAlert, color: 'text-muted' },
} as const;

/** Says in sentences what the guard has found in a segment, and who has overruled it. */
export function FindingList({ findings, overruled }: FindingListProps) {
  const texts = useDeskMessages().translations;
  const times = useTimes();
  if (findings.length === 0) return null;
  return (
    <div className="grid gap-1.5 text-[0.9375rem]">
      <ul className="grid gap-1.5">
        {findings.map((finding) => {
          const severity = overruled ? 'warning' : finding.severity;
          const { Icon, color } = LOOKS[severity];
          return (
            <li
              key={`${finding.kind} ${finding.source?.start} ${finding.target?.start}`}
              className={`flex items-start gap-1.5 ${color}`}
            >
              <Icon aria-hidden="true" className="mt-1 size-4 shrink-0" />
              <span>
                <span className="font-medium">{texts.findings[severity]}</span>{' '}
                {describeFinding(finding, texts)}
              </span>
            </li>
          );
        })}
      </ul>
      {overruled && (
        <p className="text-muted">
          {texts.overrule.by(overruled.by.name, times.full(overruled.at))} {overruled.reason}
        </p>
      )}
    </div>
  );
}
