const BACKSLASH: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "'": "'", "\\": "\\" };
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
};

export interface Unescaped {
  readonly text: string;
  /** What a message calls the escapes. */
  readonly escapes: string;
}

/** What a text may have been before it was escaped once too often, as models do. */
export function unescaped(text: string): readonly Unescaped[] {
  const forms = [
    {
      escapes: '\\n, \\t and \\"',
      text: text.replaceAll(/\\([nrt"'\\])/g, (all, char: string) => BACKSLASH[char] ?? all),
    },
    {
      escapes: "&lt; and &amp;",
      text: text.replaceAll(/&(?:lt|gt|amp|quot|#39|apos);/g, (all) => ENTITIES[all] ?? all),
    },
  ];
  return forms.filter((form) => form.text !== text);
}
