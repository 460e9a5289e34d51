/** A stretch of text, and where it leads when it is an address of the web. */
export interface Linked {
  text: string
  href: string | null
}

const address = /https?:\/\/[^\s<>"'`\\^{|}]+/g
/** Addresses in one stretch of text that become links; the rest of them stays text. */
const most = 10
const closing = new Set('.,:;!?)]*_~')

/** Cuts text into addresses and what stands between. Only http and https make a link. */
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

/** Marks at the end belong to the sentence around the address. */
function withoutClosing(found: string): string {
  let end = found.length
  while (end > 0 && closing.has(found.charAt(end - 1))) end -= 1
  return found.slice(0, end)
}
