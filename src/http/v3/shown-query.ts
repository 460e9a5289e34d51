/** A parameter as it is written in a query, and its name as it is meant. */
interface Written {
  text: string
  name: string
}

/** What can only be a token: links are stored and passed on, so it is not repeated in one. */
const secret = /^(?:access_token|token|log\.token)(?:$|\[)/i

export function parametersOf(query: string): Written[] {
  return query
    .split('&')
    .map((text) => ({ text, name: nameIn(text) }))
    .filter(({ text }) => text !== '')
}

/** The URL of a call as it was written, without tokens. */
export function shownUrl(url: string): string {
  const end = url.indexOf('?')
  if (end < 0) return url
  const all = parametersOf(url.slice(end + 1))
  const kept = all.filter(({ name }) => !secret.test(name.trim()))
  if (kept.length === all.length) return url
  const query = kept.map(({ text }) => text).join('&')
  return query === '' ? url.slice(0, end) : `${url.slice(0, end)}?${query}`
}

function nameIn(text: string): string {
  const [name = ''] = text.replaceAll('+', ' ').split('=', 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
