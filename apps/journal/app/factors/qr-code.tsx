import { useMemo } from 'react';
import { encode } from 'uqr';

/** Shows a text as a QR code, dark on light in every theme, as readers expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 max-w-full border border-hairline"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Returns the dark squares as one path. The border of four squares is part of the code. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}
