import type { CSSProperties } from 'react';
import type { NamedMark } from './name-marks.ts';

interface OverlayProps {
  marks: readonly NamedMark[];
  /** Names the group of the marks. */
  label: string;
  className?: string;
  style?: CSSProperties | undefined;
}

/** Draws marks over a plate, as large as it. The letters lead to their passages, or to their notes. */
export function Overlay({ marks, label, className = '', style }: OverlayProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the marks are no fields of a form
    <div role="group" aria-label={label} className={`plate-marks ${className}`} style={style}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {marks.map(({ letter, shape }) => (
          <g key={letter} data-mark={letter}>
            <Drawn shape={shape} className="mark-halo" />
            <Drawn shape={shape} />
          </g>
        ))}
      </svg>
      {marks.map((mark) => (
        <a
          key={mark.letter}
          href={`#${mark.passage ? 'passage' : 'mark'}-${mark.letter}`}
          data-mark={mark.letter}
          aria-label={mark.name}
          className="mark-letter"
          style={letterStyle(mark)}
        >
          {mark.letter}
        </a>
      ))}
    </div>
  );
}

/** A point is drawn by its letter alone. */
function Drawn({ shape, className }: Pick<NamedMark, 'shape'> & { className?: string }) {
  if (shape.kind === 'point') return null;
  if (shape.kind === 'outline') return <polygon className={className} points={shape.points.join(' ')} />;
  const { x, y, width, height } = shape;
  return <rect className={className} x={x} y={y} width={width} height={height} />;
}

/** A letter stands at its point, at the corner of its box, or at the highest corner of its outline. */
function letterStyle({ shape }: NamedMark): CSSProperties {
  const [x, y] =
    shape.kind === 'outline'
      ? shape.points.reduce((high, point) => (point[1] < high[1] ? point : high))
      : [shape.x, shape.y];
  return { left: `${within(x)}%`, top: `${within(y)}%` };
}

/** Keeps a letter whole on its plate. */
function within(percent: number): number {
  return Math.min(96, Math.max(4, percent));
}
