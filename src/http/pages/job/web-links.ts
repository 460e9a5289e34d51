/** A piece of text, with its target if it is a web address. */
export interface Linked {
  text: string
  href: string | null
}

const address = /https?:\/\/[^\s<>"'`\\^{|}]+/g
/** The most addresses in one text that become links; the others stay text. */
const most = 10
const closing = new Set('.,:;!?)]*_~')

/** Splits text at web addresses. Only http and https make a link. */
export function findWebLinks(text: string): Linked[] {
  if (!text.includes('://')) return [{ text, href: null }]
  const pieces: Linked[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    if (pieces.length >= 2 * most) break
    const href = withoutClosing(found)
    pieces.push({ text: text.slice(at, index), href: null }, { text: href, href })
    at = index + href.length
  }
  return [...pieces, { text: text.slice(at), href: null }].filter((piece) => piece.text !== '')
}

/** Punctuation at the end belongs to the sentence around the address. */
function withoutClosing(found: string): string {
  let end = found.length
  while (end > 0 && closing.has(found.charAt(end - 1))) end -= 1
  return found.slice(0, end)
}
