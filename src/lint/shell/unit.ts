/** Deepest nesting of brackets and quotes. */
const deepest = 50

/**
 * The offset after the unit that starts here: a character, or a quoted or bracketed part. Undefined if
 * the unit does not end, and at the start of a here document.
 */
export function afterUnit(line: string, at: number, depth = 0): number | undefined {
  if (depth > deepest) return undefined
  const [one, two, three] = [line[at], line.slice(at, at + 2), line.slice(at, at + 3)]
  if (three === '<<<') return at + 3
  if (two === '<<' || one === ')') return undefined
  if (three === '[[ ') return afterText(line, at, ' ]]')
  if (two === '$(') return afterBracket(line, at + 2, ')', depth)
  if (two === '${') return afterBracket(line, at + 2, '}', depth)
  if (one === '(') return afterBracket(line, at + 1, ')', depth)
  if (one === '\\') return at + 2
  if (one === "'" || one === '`') return afterText(line, at + 1, one)
  if (one === '"') return afterQuoted(line, at + 1, depth)
  return one === '#' && /^$|\s/.test(line[at - 1] ?? '') ? afterComment(line, at) : at + 1
}

function afterText(line: string, at: number, end: string): number | undefined {
  const found = line.indexOf(end, at)
  return found < 0 ? undefined : found + end.length
}

function afterComment(line: string, at: number): number {
  const end = line.indexOf('\n', at)
  return end < 0 ? line.length : end
}

function afterQuoted(line: string, start: number, depth: number): number | undefined {
  for (let at: number | undefined = start; at !== undefined && at < line.length;) {
    if (line[at] === '"') return at + 1
    const isUnit = /^(?:\\|`|\$[({])/.test(line.slice(at, at + 2))
    at = isUnit ? afterUnit(line, at, depth + 1) : at + 1
  }
  return undefined
}

function afterBracket(
  line: string,
  start: number,
  end: ')' | '}',
  depth: number,
): number | undefined {
  for (let at: number | undefined = start; at !== undefined && at < line.length;) {
    if (line[at] === end) return at + 1
    at = afterUnit(line, at, depth + 1)
  }
  return undefined
}
