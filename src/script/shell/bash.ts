/**
 * Program text as written, except that `$\{` becomes the `${` of bash. Values in `${}` are inserted
 * unquoted.
 */
export function bash(text: TemplateStringsArray, ...values: readonly string[]): string {
  const raw = text.raw.map((piece) => piece.replaceAll('$\\{', '${'))
  return String.raw({ raw }, ...values)
}

/** A format for the `printf` of bash that prints this text; `%s` in the text is the place of a value. */
export function printfFormat(text: string): string {
  return quote(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\u001B', '\\033'))
}

/** One word of bash, whatever the text contains (EN-01). Bash has no U+0000. */
export function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}
