/** Reads a text from left to right, one piece at a time; skips white space between pieces. */
export interface Scanner {
  /** Offset of the next piece. */
  at: () => number
  /** Offset at which the last piece ended. */
  end: () => number
  atEnd: () => boolean
  /** Whether the pattern, which must be sticky, matches here. */
  sees: (pattern: RegExp) => boolean
  /** Takes the match of the pattern, which must be sticky, here; undefined if it does not match. */
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

/** Joins a line that ends with a backslash with the next line. Offsets do not change. */
function joinLines(text: string): string {
  return text.replaceAll(/\\[^\S\n\r]*(?:\r\n|[\n\r])/g, (end) => ' '.repeat(end.length))
}
