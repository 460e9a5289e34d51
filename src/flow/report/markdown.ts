/** A text that may hold anything from a build file, shown as it is: no link, image, tag or mention. */
export function inMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~|&]/g, String.raw`\$&`)
    .replaceAll(/@|:(?=\/\/)|\bwww(?=\.)/gi, `$&${invisible}`)
}

/** Bare addresses and names become links too, which a character without a width prevents. */
const invisible = '\u200B'

/** Lines as a block that shows them as they are, whatever is in them. */
export function fenced(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return [fence, ...lines, fence].join('\n')
}
