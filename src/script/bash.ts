/** Program text just as it stands, except that `$\{` is written for the `${` of bash. */
export function bash({ raw }: TemplateStringsArray): string {
  return raw.join('').replaceAll('$\\{', '${')
}

/** One word of bash, whatever the text holds (EN-01). Bash has no U+0000. */
export function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}
