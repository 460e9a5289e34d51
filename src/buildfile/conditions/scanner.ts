/** Reads a text from left to right, one piece at a time; skips white space between pieces. */
export interface Scanner {
  /** Where the next piece starts. */
  at: () => number
  /** Where the last piece ended. */
  end: () => number
  atEnd: () => boolean
  /** Whether the pattern, which must be sticky, fits here. */
  sees: (pattern: RegExp) => boolean
  /** Takes what the pattern, which must be sticky, fits here; undefined where it does not. */
  take: (pattern: RegExp) => RegExpExecArray | undefined
}

export function scan(written: string): Scanner {
  const text = joinLines(written)
  let end = 0
  let at = afterSpace(0)

  function afterSpace(from: number): number {
    const space = /\s*/y
    space.lastIndex = from
    return from + (space.exec(text)?.[0].length ?? 0)
  }
  function exec(pattern: RegExp) {
    pattern.lastIndex = at
    return pattern.exec(text) ?? undefined
  }
  return {
    at: () => at,
    end: () => end,
    atEnd: () => at === text.length,
    sees: (pattern) => exec(pattern) !== undefined,
    take(pattern) {
      const found = exec(pattern)
      if (!found) return undefined
      end = at + found[0].length
      at = afterSpace(end)
      return found
    },
  }
}

/** A backslash at the end of a line joins it with the next one. Offsets stay what they were. */
function joinLines(text: string): string {
  return text.replaceAll(/\\[^\S\n\r]*(?:\r\n|[\n\r])/g, (end) => ' '.repeat(end.length))
}
