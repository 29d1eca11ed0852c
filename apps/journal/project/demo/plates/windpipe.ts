import { clamp, type Point, points, smoothCurve, smoothstep } from './geometry.ts';
import { fill, line, number, ribbon } from './ink.ts';
import { BONE } from './plate.ts';

/** Larynx end and trachea: rings of cartilage, open behind, each engraved. */
export function windpipe(): string {
  const out: string[] = [];
  const axis = smoothCurve(points('644,96 641,240 640,400 640,560 640,588'), 20);
  out.push(
    fill(
      ribbon(axis, () => 45),
      '#0b0e17',
    ),
    fill(
      ribbon(axis, () => 42),
      '#6b6675',
    ),
  );
  for (let i = 0; i < 21; i++) {
    const y = 112 + i * 22.4;
    const half = 43 + (i % 3);
    const ring = (bow: number): Point[] =>
      smoothCurve(
        [-1, -0.6, 0, 0.6, 1].map((s) => ({ x: 640 + s * half, y: y + bow * (1 - s * s) })),
        8,
      );
    out.push(
      fill(
        ribbon(ring(9), (t) => 8.6 * Math.sin(Math.PI * clamp(t, 0.06, 0.94)) ** 0.3 + 0.8),
        '#0d1019',
      ),
    );
    out.push(
      fill(
        ribbon(ring(9), (t) => 7.6 * Math.sin(Math.PI * clamp(t, 0.06, 0.94)) ** 0.3),
        BONE,
      ),
    );
    for (let k = 0; k < 34; k++) {
      const s = -0.98 + (k / 33) * 1.96;
      const dark = clamp(0.16 + 0.9 * smoothstep(-0.1, 1, s) + 0.35 * smoothstep(-0.75, -1, s));
      const x = 640 + s * half;
      const mid = y + 9 * (1 - s * s);
      out.push(
        line(
          `M${number(x)} ${number(mid + 7.2)}L${number(x + 1)} ${number(mid + 7.2 - 14 * dark)}`,
          '#1c1a22',
          0.5 + 1.3 * dark,
          0.85,
        ),
      );
    }
  }
  return out.join('');
}
