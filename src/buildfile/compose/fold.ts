/**
 * Joins the lines of a scalar: a line break becomes a space, further breaks in a row are kept; white
 * space around breaks is dropped.
 */
export function foldLines(source: string): string {
  if (!source.includes('\n')) return source
  let text = ''
  let breaks = 0
  let from = 0
  while (from <= source.length) {
    const found = source.indexOf('\n', from)
    const end = found === -1 ? source.length : found
    const first = from === 0
    const last = found === -1
    const line = source.slice(
      first ? 0 : afterBlanks(source, from, end),
      last ? end : beforeBlanks(source, from, end),
    )
    if (line === '' && !first && !last) breaks += 1
    else {
      if (!first) text += breaks === 0 ? ' ' : '\n'.repeat(breaks)
      text += line
      breaks = 0
    }
    from = end + 1
  }
  return text
}

function afterBlanks(source: string, from: number, end: number): number {
  let at = from
  while (at < end && isBlank(source.charCodeAt(at))) at += 1
  return at
}

/** The start of the white space before the end. */
export function beforeBlanks(source: string, from: number, end: number): number {
  let at = end
  while (at > from && isBlank(source.charCodeAt(at - 1))) at -= 1
  return at
}

const isBlank = (code: number) => code === 0x20 || code === 0x09 || code === 0x0d
