import type { SVGProps } from 'react';

/** An icon of lucide: its name, and its shapes by tag and attributes. */
interface IconData {
  name: string;
  aliases?: readonly string[];
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Creates the component of an icon. It takes the place of lucide's own function in the build (see `vite.config.ts`) and
 * draws the same. The shapes are one text: as elements, the icons took more than half of the time in which React renders
 * a post's page, and each shape was an element more to hydrate.
 */
export function createIcon({ name, aliases = [], node }: IconData) {
  const classes = ['', name, ...aliases].map((part) => (part ? `lucide-${part}` : 'lucide')).join(' ');
  const shapes = { __html: node.map(([tag, attributes]) => shapeOf(tag, attributes)).join('') };
  return function Icon({ className, ...props }: SVGProps<SVGSVGElement>) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={className ? `${classes} ${className}` : classes}
        aria-hidden="true"
        {...props}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes are constants.
        dangerouslySetInnerHTML={shapes}
      />
    );
  };
}

function shapeOf(tag: string, { key: _, ...attributes }: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`);
  return `<${tag}${written.join('')}></${tag}>`;
}
