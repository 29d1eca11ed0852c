const ENTITIES: Record<string, string> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Escapes a text for elements and attributes, as React does. */
export function escapeText(text: string): string {
  return text.replace(/["&'<>]/g, (character) => ENTITIES[character] ?? character);
}

/** Escapes JSON for a script, as the router does: nothing in it ends the script. */
export function escapeJson(json: string): string {
  return json.replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
