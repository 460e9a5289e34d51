/** Escapes a text from a build file, so that it is shown literally: no link, image, tag or mention. */
export function inMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~|&]/g, String.raw`\$&`)
    .replaceAll(/@|:(?=\/\/)|\bwww(?=\.)/gi, `$&${invisible}`)
}

/** A zero-width space, which keeps bare addresses and names from becoming links. */
const invisible = '\u200B'

/** Lines as a code block, whose fence is longer than any in the lines. */
export function fenced(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return [fence, ...lines, fence].join('\n')
}
